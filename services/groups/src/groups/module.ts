import { day, second } from '@hearth/clock';
import type { HomeThings } from '@hearth/home-acts';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import { groupMachine } from './actions/group-machine.ts';
import { createHomeGroups, type GroupCopies } from './actions/home-groups.ts';
import { onPartiesBeganAnew } from './consumers/on-parties-began-anew.ts';
import { onPeopleChanged } from './consumers/on-people-changed.ts';
import type { Context, JoinRequests } from './context.ts';
import { deleteDeparturesBefore } from './db/departures.ts';
import { nextEnd } from './db/groups.ts';
import { archiveEnded } from './jobs/archive-ended.ts';

export { addMember } from './actions/add-member.ts';
export { findGroup } from './actions/find-group.ts';
export {
  type GroupMachine,
  groupMachine,
  requireActive,
  requireOrganizer,
} from './actions/group-machine.ts';
export type { GroupCopies } from './actions/home-groups.ts';
export type { JoinRequests } from './context.ts';
export { findGroups, type GroupRow, lockGroup } from './db/groups.ts';
export { forgetJoined, noteJoined } from './db/joined-elsewhere.ts';
export { appsOfMembers, findMember, listMembers, type MemberRow, type Via } from './db/members.ts';
export type { ShownGroup } from './db/shown-groups.ts';
export { isArchived } from './domain/ended.ts';
export type { AnnouncedGroup, AnnouncedPerson } from './domain/events.ts';
export { toMember } from './domain/to-proto.ts';

/** Starts groups and their members. */
export async function startGroups(
  host: Host,
  things: HomeThings,
  joinRequests: JoinRequests,
): Promise<GroupCopies> {
  const context: Context = {
    ...host,
    groups: groupMachine(host.commit),
    identity: host.peer('identity', PeopleService),
    ais: host.peer('identity', AisService),
    idempotency: host.idempotency(),
    joinRequests,
    things,
    copies: createHomeGroups(host, things),
  };
  await host.serveRpcs(GroupsService, import.meta.url, context);
  host.consume({
    durable: 'people',
    types: ['person_changed', 'account_deleted'],
    handle: onPeopleChanged(context),
    // Apps of fellow members hear of these changes in order.
    inOrder: true,
  });
  host.consume(onPartiesBeganAnew(context));
  host.whenDue('archive-ended', second, { sql: nextEnd }, () => archiveEnded(context));
  // Identity has asked for them long before.
  host.purge('purge-departures', [90 * day, deleteDeparturesBefore]);
  return context.copies;
}
