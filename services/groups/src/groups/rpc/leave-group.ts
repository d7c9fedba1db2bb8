import {
  badField,
  badRequest,
  forbidden,
  type HearthError,
  isHearthError,
  notFound,
  personNeeded,
} from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import { GroupsService, type LeaveGroupRequest } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { joining } from '../../shared/domain/fits.ts';
import { type Elsewhere, findElsewhere } from '../actions/find-elsewhere.ts';
import { readGroup } from '../actions/find-group.ts';
import { changeOfMember, reasonFor } from '../actions/group-machine.ts';
import { isLastOrganizer } from '../actions/succession.ts';
import { viewerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import type { GroupRow } from '../db/groups.ts';
import { forgetJoined } from '../db/joined-elsewhere.ts';
import { deleteMember, findMember, type MemberRow } from '../db/members.ts';
import { findShown } from '../db/shown-groups.ts';
import { memberLeft } from '../domain/events.ts';

export const leaveGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.leaveGroup> =>
  async (request, { caller }) => {
    const { groups, people } = context;
    const elsewhere = await findElsewhere(context, request.id, caller);
    if (elsewhere !== null) return await leaveElsewhere(context, elsewhere, request, caller);
    const responsible = actingPerson(caller);
    const leaver = await people.everywhere.resolve(request.person ?? 'me', caller);
    if (leaver === null) throw notFound();
    const id = await findLeft(context, request.id, caller, leaver, responsible);
    // A remote home may repeat a departure that was already handled.
    const isAgain = caller.home !== '';
    if (id === null && isAgain) return { left: true, archived: false };
    if (id === null) throw notFound();
    const archived = await groups.locked(id, async (tx, group) => {
      const member = await findMember(tx, id, leaver.id);
      if (member === null && isAgain) return false;
      if (member === null) throw notFound();
      const refusal = leaveRefusal(group, leaver, responsible, caller);
      if (refusal !== null) throw refusal;
      return await leave(context, tx, group, leaver, member, {
        by: caller,
        mayArchive: request.confirmArchive ?? true,
        reason: request.reason ?? '',
      });
    });
    return { left: true, archived };
  };

/** The person is out here at once, whether or not the remote home can be reached. */
async function leaveElsewhere(
  { commit, copies }: Context,
  { copy, person }: Elsewhere,
  request: LeaveGroupRequest,
  caller: Caller,
) {
  if (request.person !== undefined)
    throw badField('person', 'is for children, of whom other homes are told nothing');
  const body = request.reason === undefined ? {} : { reason: request.reason };
  let isOut = false;
  const here = async (tx: UnitOfWork) => {
    await forgetJoined(tx, person, copy.reference);
    await copies.unseat(tx, copy, person);
    isOut = true;
  };
  const call = { method: GroupsService.method.leaveGroup, request: body, caller, forPerson: true };
  try {
    await copies.call(copy, { ...call, here, kept: { viewer: person } });
  } catch (error) {
    if (!isOut && !isOutOfReach(error)) throw error;
    if (!isOut) await commit(here);
  }
  return { left: true, archived: false };
}

const isOutOfReach = (error: unknown) =>
  isHearthError(error) && ['home_unreachable', 'home_denied'].includes(error.details.code ?? '');

/** A guardian takes their child out without being a member. */
async function findLeft(
  { database, homeNames }: Context,
  text: string,
  caller: Caller,
  leaver: PersonFacts,
  responsible: string,
): Promise<string | null> {
  const ref = readGroup(text, homeNames);
  if (ref === null) return null;
  const guarding = isMinor(leaver) && leaver.guardians.includes(responsible);
  const viewer = guarding ? { person: leaver.id, app: null, group: null } : viewerOf(caller);
  const group = await findShown(database.db, ref, viewer);
  return group?.id ?? null;
}

/** Why this person cannot take the member out; null if they can. */
function leaveRefusal(
  group: GroupRow,
  leaver: PersonFacts,
  responsible: string,
  caller: Caller,
): HearthError | null {
  const guarded = isMinor(leaver) && leaver.guardians.length > 0;
  if (leaver.id === responsible) {
    if (!guarded || joining(group, leaver) === 'freely') return null;
    return personNeeded('your parent or guardian has to do this for you');
  }
  if (!guarded || !leaver.guardians.includes(responsible)) {
    return forbidden('somebody else leaves by their own word, and a child by that of their guardian');
  }
  if (caller.kind !== callerKinds.AI) return null;
  return personNeeded('what is about a child is for their guardian to say, not for an AI');
}

/** Removes the member and returns whether that archived the group. */
async function leave(
  { clock, groups }: Context,
  tx: UnitOfWork,
  group: GroupRow,
  leaver: PersonFacts,
  member: MemberRow,
  { by, mayArchive, reason }: { by: Caller; mayArchive: boolean; reason: string },
): Promise<boolean> {
  const now = clock.now();
  const last = await isLastOrganizer(tx, group, member, now);
  if (last && !mayArchive) {
    throw badRequest(
      'you are the last organizer: when you leave, the group is archived and nobody can restore it. Make another member an organizer first, or leave confirm_archive out',
      { code: 'bad_field', field: 'confirm_archive' },
    );
  }
  const change = await changeOfMember(tx, group, leaver.id, by);
  await deleteMember(tx, group.id, leaver.id);
  tx.announce(memberLeft(change, leaver, await reasonFor(tx, group.id, reason)));
  if (!last) return false;
  const { apps, seq, topics } = change;
  const archive = { kind: 'archive', why: 'organizer_left', by: null, at: new Date(now) } as const;
  await groups.take(tx, { ...group, seq }, { ...archive, apps, caller: by, topics });
  return true;
}
