import { timestampDate } from '@bufbuild/protobuf/wkt';
import { sizeOf } from '@hearth/limits';
import type { UpdateGroupRequest } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { joining, lawfulAge } from '../../shared/domain/fits.ts';
import { changeGroup, requireActive, requireOrganizer } from '../actions/change-group.ts';
import { findGroup } from '../actions/find-group.ts';
import { whoseWord } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { type GroupRow, type Settled, settleGroup } from '../db/groups.ts';
import { appsOfMembers, listMinors } from '../db/members.ts';
import { changesOf } from '../domain/changes.ts';
import { checkEnd } from '../domain/ended.ts';
import { groupUpdated } from '../domain/events.ts';
import { settle } from '../domain/settings.ts';
import { readTimeZone } from '../domain/time-zone.ts';
import { toGroup, toMember } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const updateGroup =
  (context: Context): GroupsHandlers['updateGroup'] =>
  async (request, { caller }) => {
    const { clock, outbox, people } = context;
    const person = whoseWord(caller);
    const seen = await findGroup(context, request.id, caller);
    const organizer = await people.findOne(person);
    const updated = await changeGroup(context, seen.id, async (tx, group) => {
      await requireOrganizer(tx, group, person);
      requireActive(group, clock.now());
      const settled = settledBy(context, group, request, organizer);
      const changed = changesOf(group, settled);
      if (changed.length === 0) return { result: group, events: [] };
      const row = await settleGroup(tx, group.id, settled);
      const told = { group: row, seq: row.seq, apps: await appsOfMembers(tx, group.id), by: caller };
      return { result: row, events: [groupUpdated(outbox, told, changed)] };
    });
    return {
      group: toGroup({ ...seen, ...updated }, clock.now()),
      noLongerFit: request.settings === undefined ? [] : await noLongerFit(context, updated, caller),
    };
  };

function settledBy(
  { clock, limits }: Context,
  group: GroupRow,
  { name, settings, endsAt, timeZone }: UpdateGroupRequest,
  organizer: PersonFacts | null,
): Settled {
  const end = endsAt === undefined ? null : timestampDate(endsAt);
  return {
    ...settle(group, settings, lawfulAge(organizer ?? { consentAge: 0 })),
    name: name ?? group.name,
    time_zone: timeZone === undefined ? group.time_zone : readTimeZone(timeZone),
    ends_at: end === null ? group.ends_at : checkEnd(end, clock.now(), sizeOf(limits, 'group_end_days')),
  };
}

/** Members who could not join any more as they once did; nobody removes them but an organizer. */
async function noLongerFit({ database, people }: Context, group: GroupRow, caller: Caller) {
  const minors = await listMinors(database.db, group.id);
  const facts = await people.find(minors.map((row) => row.person));
  const shown = minors.flatMap((row) => {
    const person = facts.get(row.person);
    if (person === undefined) return [];
    const how = joining(group, person);
    const fits = how === 'freely' || (how === 'with_guardian' && row.guardian !== null);
    return fits ? [] : [toMember(people, person, row, caller)];
  });
  // In an order that says nothing about who is behind a shielded id.
  return shown.sort((one, other) => ((one.person?.id ?? '') < (other.person?.id ?? '') ? -1 : 1));
}
