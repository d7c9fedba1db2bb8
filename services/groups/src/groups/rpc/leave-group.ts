import type { Tx } from '@hearth/db';
import { badRequest, forbidden, type HearthError, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Caller, callerKinds } from '@hearth/rpc';
import { joining } from '../../shared/domain/fits.ts';
import { groupsTopic } from '../../shared/domain/topics.ts';
import { changeGroup } from '../actions/change-group.ts';
import { readGroup } from '../actions/find-group.ts';
import { viewing, whoseWord } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { archiveGroup, type GroupRow, raiseSeq } from '../db/groups.ts';
import { appsOfMembers, countOrganizers, deleteMember, findMember } from '../db/members.ts';
import { findShown } from '../db/shown-groups.ts';
import { isArchived } from '../domain/ended.ts';
import { groupArchived, memberLeft } from '../domain/events.ts';
import type { GroupsHandlers } from './index.ts';

export const leaveGroup =
  (context: Context): GroupsHandlers['leaveGroup'] =>
  async (request, { caller }) => {
    const word = whoseWord(caller);
    const leaver = await leaverOf(context, request.person ?? 'me', caller);
    const id = await findLeft(context, request.id, caller, leaver, word);
    const archived = await changeGroup(context, id, async (tx, group) => {
      if ((await findMember(tx, id, leaver.id)) === null) throw notFound();
      const refusal = leaveRefusal(group, leaver, word, caller);
      if (refusal !== null) throw refusal;
      const events = await leave(context, tx, group, leaver, {
        by: caller,
        confirmed: request.confirmArchive ?? false,
      });
      return { result: events.length > 1, events };
    });
    return { left: true, archived };
  };

async function leaverOf({ people }: Context, reference: string, caller: Caller): Promise<PersonFacts> {
  const person = await people.resolve(reference, caller);
  if (person === null) throw notFound();
  return person;
}

/** A guardian need not be a member to take their child out. */
async function findLeft(
  { database, homeNames }: Context,
  text: string,
  caller: Caller,
  leaver: PersonFacts,
  word: string,
): Promise<string> {
  const ref = readGroup(text, homeNames);
  if (ref === null) throw notFound();
  const guarding = isMinor(leaver) && leaver.guardians.includes(word);
  const viewer = guarding ? { person: leaver.id, app: null, group: null } : viewing(caller);
  const group = await findShown(database.db, ref, viewer);
  if (group === null) throw notFound();
  return group.id;
}

/** Why somebody cannot leave by that word, or null. */
function leaveRefusal(
  group: GroupRow,
  leaver: PersonFacts,
  word: string,
  caller: Caller,
): HearthError | null {
  const guarded = isMinor(leaver) && leaver.guardians.length > 0;
  if (leaver.id === word) {
    if (!guarded || joining(group, leaver) === 'freely') return null;
    return forbidden('your parent or guardian has to do this for you', {
      code: 'needs_person',
      needsPerson: true,
    });
  }
  if (!guarded || !leaver.guardians.includes(word)) {
    return forbidden('somebody else leaves by their own word, and a child by that of their guardian');
  }
  if (caller.kind === callerKinds.AI) {
    return forbidden('what is about a child is for their guardian to say, not for an AI', {
      code: 'needs_person',
      needsPerson: true,
    });
  }
  return null;
}

async function leave(
  { clock, outbox }: Context,
  tx: Tx,
  group: GroupRow,
  leaver: PersonFacts,
  { by, confirmed }: { by: Caller; confirmed: boolean },
): Promise<OutboxRow[]> {
  const member = await findMember(tx, group.id, leaver.id);
  const now = clock.now();
  const last =
    member?.role === 'organizer' && !isArchived(group, now) && (await countOrganizers(tx, group.id)) === 1;
  if (last && !confirmed) {
    throw badRequest(
      'you are the last organizer: when you leave, the group is archived and nobody can restore it. Make somebody else an organizer first, or say so with confirm_archive',
      { code: 'bad_field', field: 'confirm_archive' },
    );
  }
  const apps = await appsOfMembers(tx, group.id);
  await deleteMember(tx, group.id, leaver.id);
  const seq = await raiseSeq(tx, group.id);
  const told = { group, apps, by, topics: [groupsTopic(leaver.id)] };
  const left = memberLeft(outbox, { ...told, seq }, leaver);
  if (!last) return [left];
  const row = await archiveGroup(tx, group.id, { why: 'organizer_left', by: null, at: new Date(now) });
  return [left, groupArchived(outbox, { ...told, seq: row.seq }, 'organizer_left')];
}
