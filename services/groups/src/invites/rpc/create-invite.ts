import { timestampDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import { callerKindOf, sizeOf } from '@hearth/limits';
import { type CreateInviteRequest, InvitesService } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Call, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { findGroup, findMember, requireActive, type ShownGroup } from '../../groups/module.ts';
import { ageBandName } from '../../shared/domain/enum-names.ts';
import { reachRecipient } from '../actions/check-reach.ts';
import { withGuardians } from '../actions/invite-machine.ts';
import { readRecipient } from '../actions/read-recipient.ts';
import { requireRoomForInvite, storeInvite } from '../actions/store-invite.ts';
import type { Context } from '../context.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import { linkOf } from '../domain/invite-code.ts';
import {
  ageRefusal,
  bandRefusal,
  expiryOf,
  forAgesOf,
  type InviteBounds,
  usesOf,
} from '../domain/invite-terms.ts';
import { toInvite } from '../domain/to-proto.ts';

/** Creates an invite into a group. Only this answer contains its code. */
export const createInvite =
  (context: Context): UnaryHandler<typeof InvitesService.method.createInvite> =>
  async (request, call) => {
    const by = actingPerson(call.caller);
    return await context.idempotency.once(call, InvitesService.method.createInvite, request, {
      make: (claim) => make(context, request, call, by, claim),
      // Includes the code, because the caller may never have received the first answer.
      async repeat({ id, code }) {
        const invite = await findInvite(context.database.db, id);
        if (invite === null) throw notFound();
        const opened = context.sealer.open(Buffer.from(code, 'base64'), `invite.code:${id}`);
        return answer(context, invite, opened.toString(), call.caller);
      },
    });
  };

async function make(
  context: Context,
  request: CreateInviteRequest,
  call: Call,
  by: string,
  claim: Claim<{ id: string; code: string }>,
) {
  const { clock, database, ids, limiter, limits, people } = context;
  const { caller } = call;
  const group = await findGroup(context, request.id, caller);
  if (group.role !== 'organizer')
    throw forbidden('only an organizer of the group can do this', { rule: 'only_organizers' });
  requireActive(group, clock.now());
  const organizer = await people.findOne(by);
  if (organizer === null) throw notFound();
  const to = request.to === undefined ? null : await readRecipient(context, request.to, call);
  const person = to !== null && 'person' in to ? to.person : null;
  const wanted = readInvite(context, request, group, organizer, person, caller);
  if (person !== null && (await findMember(database.db, group.id, person.id)) !== null)
    throw badRequest('they are in this group already', { code: 'already_settled', field: 'to' });

  const code = ids.token(22);
  const email = to !== null && 'email' in to ? to.email : null;
  if (email !== null) {
    // Checked before counting, so that an invite without room doesn't use up the day's mails.
    await requireRoomForInvite(database.db, wanted, limits);
    await limiter.consume('invite_mails_a_day', organizer.id, callerKindOf(caller));
  }
  const recipient = person === null ? null : await withGuardians(context, person);
  // Each home applies its own people's rules.
  const here = to !== null && 'person' in to && to.person.home === '';
  const reached = here ? await reachRecipient(context, to, wanted) : {};
  const open: InviteRow = { ...wanted, ...reached };
  // An invite that the recipient's rules decline has ended; a reusable link stays open.
  const ended = open.delivery === 'declined' && !open.reusable;
  const invite: InviteRow = ended ? { ...open, status: 'declined', why: 'declined' } : open;
  await storeInvite(context, { invite, code, recipient, email }, claim, caller);
  return answer(context, invite, code, caller);
}

function answer({ clock, config: { siteUrl } }: Context, invite: InviteRow, code: string, caller: Caller) {
  return { ...toInvite(invite, clock.now(), caller), code, url: linkOf(siteUrl, code) };
}

function readInvite(
  { clock, ids, limits }: Context,
  request: CreateInviteRequest,
  group: ShownGroup,
  organizer: PersonFacts,
  person: PersonFacts | null,
  caller: Caller,
): InviteRow {
  const { reusable = false, invitee = '', itemRef = '' } = request;
  const now = nowDate(clock);
  const forAges = forAgesOf(request.forAge, request.forAges);
  const bounds: InviteBounds = {
    usualDays: sizeOf(limits, 'invite_days'),
    oneTimeDays: sizeOf(limits, 'one_time_invite_days'),
    reusableDays: sizeOf(limits, 'reusable_invite_days'),
    usualUses: Math.min(sizeOf(limits, 'usual_invite_uses'), sizeOf(limits, 'invite_uses')),
  };
  const refusal = ageRefusal(group.minors, forAges) ?? (person && bandRefusal(forAges, person.ageBand));
  if (refusal) throw refusal;
  if (itemRef !== '' && caller.app === '')
    throw badField('item_ref', 'is for apps, which have items of their own');
  const expiresAt = request.expiresAt === undefined ? null : timestampDate(request.expiresAt);
  return {
    id: ids.uuid(),
    group: group.id,
    reusable,
    for_ages: forAges.map(ageBandName),
    invitee,
    to_person: person?.id ?? null,
    home: person?.home || null,
    item_ref: itemRef,
    created_by_kind: caller.kind === callerKinds.AI ? 'ai' : 'person',
    created_by: caller.id,
    created_by_person: organizer.id,
    created_by_name: organizer.name,
    app: caller.app || null,
    delivery: null,
    holder: null,
    passed_note: '',
    status: 'waiting',
    why: null,
    uses: 0,
    max_uses: usesOf(request.maxUses, reusable, bounds),
    expires_at: expiryOf(expiresAt, reusable, bounds, now),
    created_at: now,
  };
}
