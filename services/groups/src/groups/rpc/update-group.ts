import { timestampDate } from '@bufbuild/protobuf/wkt';
import { sizeOf } from '@hearth/limits';
import type { GroupsService, UpdateGroupRequest } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller, type UnaryHandler } from '@hearth/rpc';
import { joining, lawfulAge } from '../../shared/domain/fits.ts';
import { findGroup } from '../actions/find-group.ts';
import { requireActive, requireOrganizer } from '../actions/group-machine.ts';
import type { Context } from '../context.ts';
import type { GroupRow, Settled } from '../db/groups.ts';
import { listMinors } from '../db/members.ts';
import { checkEnd } from '../domain/ended.ts';
import { settle } from '../domain/settings.ts';
import { readTimeZone } from '../domain/time-zone.ts';
import { toGroup, toMember } from '../domain/to-proto.ts';

export const updateGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.updateGroup> =>
  async (request, { caller }) => {
    const { clock, groups, people } = context;
    const person = actingPerson(caller);
    const shown = await findGroup(context, request.id, caller);
    const organizer = await people.findOne(person);
    const { state } = await groups.act(shown.id, async (group, tx) => {
      await requireOrganizer(tx, group.id, person);
      requireActive(group, clock.now());
      return { kind: 'settle', settled: settledBy(context, group, request, organizer), caller };
    });
    return {
      group: toGroup({ ...shown, ...state }, clock.now()),
      noLongerFit: request.settings === undefined ? [] : await noLongerFit(context, state, caller),
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

/** Members who could no longer join under the settings. They stay until an organizer removes them. */
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
  // This order reveals nothing about the person behind a shielded id.
  return shown.sort((one, other) => ((one.person?.id ?? '') < (other.person?.id ?? '') ? -1 : 1));
}
