import { toBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { badField, badRequest, forbidden, internal, notFound } from '@hearth/errors';
import { callerKindOf, sizeOf } from '@hearth/limits';
import { type CreateInviteRequest, CreateInviteRequestSchema } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import { requireActive } from '../../groups/actions/change-group.ts';
import { findGroup } from '../../groups/actions/find-group.ts';
import { whoseWord } from '../../groups/actions/viewer.ts';
import { findMember } from '../../groups/db/members.ts';
import type { ShownGroup } from '../../groups/db/shown-groups.ts';
import { ageBandWord } from '../../shared/domain/enum-names.ts';
import { withGuardians } from '../actions/change-invite.ts';
import { type Delivered, reachRecipient } from '../actions/reach-recipient.ts';
import { type Recipient, readRecipient } from '../actions/recipient.ts';
import { type NewInvite, storeInvite } from '../actions/store-invite.ts';
import type { InvitesContext } from '../context.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import { linkOf } from '../domain/invite-code.ts';
import { ageRefusal, bandRefusal, expiryOf, type InviteBounds, usesOf } from '../domain/invite-terms.ts';
import { toInvite } from '../domain/to-proto.ts';
import type { InvitesHandlers } from './index.ts';

/** Makes an invite into a group. Its code is in this answer and nowhere else. */
export function createInvite(context: InvitesContext): InvitesHandlers['createInvite'] {
  return async (request, call) => {
    const by = whoseWord(call.caller);
    const remembered = remember(request, call);
    const repeated = remembered && (await findRepeated(context, remembered, call));
    if (repeated) return repeated;

    const group = await organizedGroup(context, request.id, call.caller);
    const organizer = await context.people.findOne(by);
    if (organizer === null) throw notFound();
    const to = request.to === undefined ? null : await readRecipient(context, request.to, call);
    const invite = readInvite(context, request, group, organizer, to, call.caller);
    await refuseMember(context, invite);

    const code = context.ids.token(22);
    const email = to !== null && 'email' in to ? to.email : null;
    if (email !== null)
      await context.limiter.consume('invite_mails_a_day', organizer.id, callerKindOf(call.caller));
    const recipient = to !== null && 'person' in to ? await withGuardians(context, to.person) : null;
    const reached =
      to !== null && 'person' in to
        ? reachedInvite(invite, await reachRecipient(context, to, invite))
        : invite;
    const stored = await storeInvite(
      context,
      { invite: reached, code, recipient, email, remembered },
      call.caller,
    );
    if (stored !== null) return answer(context, stored, code);
    const parallel = remembered && (await findRepeated(context, remembered, call));
    if (!parallel) throw internal('a request_id was taken and is not there');
    return parallel;
  };
}

/** What whom it is sent to declines by their rules has ended for them; a link that others can use goes on. */
function reachedInvite(invite: NewInvite, reached: Delivered): NewInvite {
  const ended = reached.delivery === 'declined' && !invite.reusable;
  return { ...invite, ...reached, ...(ended && ({ status: 'declined', why: 'declined' } as const)) };
}

function answer({ clock, siteUrl }: InvitesContext, row: InviteRow, code: string) {
  return { ...toInvite(row, clock.now()), code, url: linkOf(siteUrl, code) };
}

function remember(request: CreateInviteRequest, { caller }: Call): RememberedRequest | undefined {
  const { requestId, ...body } = request;
  if (requestId === undefined) return undefined;
  return rememberedRequest(caller, 'create_invite', requestId, toBinary(CreateInviteRequestSchema, body));
}

/** The same answer with its code, which the caller may never have got. */
async function findRepeated(context: InvitesContext, remembered: RememberedRequest, call: Call) {
  const found = await context.made.find(remembered);
  if (found === null) return null;
  const row = await findInvite(context.database.db, found.id);
  if (row === null) throw notFound();
  call.answerWith(200);
  const code = context.sealer.open(Buffer.from(found.code, 'base64'), `invite.code:${found.id}`);
  return answer(context, row, code.toString());
}

/** @throws not_found for who is not in it; forbidden for who is no organizer; bad_request (archived) */
async function organizedGroup(
  context: InvitesContext,
  reference: string,
  caller: Caller,
): Promise<ShownGroup> {
  const group = await findGroup(context, reference, caller);
  if (group.role !== 'organizer') throw forbidden('only an organizer of the group can do this');
  requireActive(group, context.clock.now());
  return group;
}

function readInvite(
  { clock, ids, limits }: InvitesContext,
  request: CreateInviteRequest,
  group: ShownGroup,
  organizer: PersonFacts,
  to: Recipient | null,
  caller: Caller,
): NewInvite {
  const { reusable = false, invitee = '', itemRef = '' } = request;
  const now = nowDate(clock);
  const forAge = request.forAge || AgeBand.ADULT;
  const bounds: InviteBounds = {
    usualDays: sizeOf(limits, 'invite_days'),
    oneTimeDays: sizeOf(limits, 'one_time_invite_days'),
    reusableDays: sizeOf(limits, 'reusable_invite_days'),
    usualUses: Math.min(sizeOf(limits, 'usual_invite_uses'), sizeOf(limits, 'invite_uses')),
  };
  const person = to !== null && 'person' in to ? to.person : null;
  const refusal = ageRefusal(group.minors, forAge) ?? (person && bandRefusal(forAge, person.ageBand));
  if (refusal) throw refusal;
  if (itemRef !== '' && caller.app === '')
    throw badField('item_ref', 'is for apps, which have items of their own');
  const byAi = caller.kind === callerKinds.AI;
  return {
    id: ids.uuid(),
    group: group.id,
    reusable,
    for_age: ageBandWord(forAge),
    invitee,
    to_person: person?.id ?? null,
    item_ref: itemRef,
    created_by_kind: byAi ? 'ai' : 'person',
    created_by: caller.id,
    created_by_person: organizer.id,
    created_by_name: organizer.name,
    app: caller.app || null,
    delivery: null,
    holder: null,
    status: 'waiting',
    why: null,
    max_uses: usesOf(request.maxUses, reusable, bounds),
    expires_at: expiryOf(
      request.expiresAt === undefined ? null : timestampDate(request.expiresAt),
      reusable,
      bounds,
      now,
    ),
    created_at: now,
  };
}

async function refuseMember({ database }: InvitesContext, { group, to_person }: NewInvite): Promise<void> {
  if (to_person === null || (await findMember(database.db, group, to_person)) === null) return;
  throw badRequest('they are in this group already', { code: 'already_settled', field: 'to' });
}
