import { type HomeNames, otherHomeIn, parseAddress } from '@hearth/addresses';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type GroupFacts, Role, type RosterEntry } from '@hearth/proto/groups/v1/groups';
import { actingPerson, anonymous, type Call, callerKinds } from '@hearth/rpc';
import type { Deps } from './deps.ts';

type Peers = Pick<Deps, 'peers'>;

/** A group, and its members if they were fetched with it. */
export interface FoundGroup {
  group: GroupFacts;
  members: readonly RosterEntry[];
}

/**
 * A group of the caller's person, or the group that the AI runs.
 *
 * @param reference id, &address or name; absent: the person's only group
 * @param roster number of members to fetch with it
 * @throws not_found unless the caller is in it; bad_field if the name is ambiguous, or absent with several
 * groups; bad_request (archived)
 */
export async function findGroup(
  { homeNames, peers }: Peers & Pick<Deps, 'homeNames'>,
  reference: string | undefined,
  call: Call,
  roster = 0,
): Promise<FoundGroup> {
  const { caller } = call;
  if (caller.kind === callerKinds.AI && caller.group !== '') {
    const { results } = await peers.groups.findGroups({ ids: [caller.group] }, { call });
    return { group: requireActive(results[0]?.group), members: [] };
  }
  const person = actingPerson(caller);
  requireHere(reference ?? '', homeNames);
  const request = { group: reference ?? (await onlyGroup({ peers }, person)), person, roster };
  const { group, candidates, members } = await peers.groups.findMembership(request, { call });
  if (candidates.length > 0)
    throw badField(
      'group',
      `several groups of yours have that name; give the address: ${candidates.join(', ')}`,
    );
  return { group: requireActive(group), members };
}

/** @throws bad_field for a remote group */
function requireHere(group: string, homeNames: HomeNames): void {
  const home = otherHomeIn(group, homeNames);
  if (home !== null)
    throw badField('group', `is of ${home}, where its decisions and plans are started; you are asked here`);
}

/** @throws bad_field unless the person (uuid) is in exactly one group */
async function onlyGroup({ peers }: Peers, person: string): Promise<string> {
  const { groups } = await peers.groups.listGroupIds({ person }, { caller: anonymous });
  const [only, ...others] = groups.filter(({ archived }) => !archived).map(({ address }) => address);
  if (only === undefined) throw badField('group', 'must be a group that you are in, and you are in none');
  if (others.length > 0)
    throw badField('group', `must be one of your groups: ${[only, ...others].join(', ')}`);
  return only;
}

function requireActive(group: GroupFacts | undefined): GroupFacts {
  if (group === undefined) throw notFound();
  if (group.archived)
    throw badRequest('this group is archived: nothing is decided in it any more', { code: 'archived' });
  return group;
}

/** A uuid that no group has. */
export const noGroup = '00000000-0000-0000-0000-000000000000';

/** uuid of the group with this id or &address, for lists; `noGroup` if unknown, so that the list is empty. */
export async function findGroupId(
  { homeNames, peers }: Peers & Pick<Deps, 'homeNames'>,
  reference: string,
): Promise<string> {
  const id = parseId('grp', reference);
  if (id !== null) return id;
  const address = parseAddress(reference, homeNames);
  if (address?.kind !== 'group' || address.home !== undefined) return noGroup;
  const { results } = await peers.groups.findGroups({ handles: [address.handle] }, { caller: anonymous });
  return results[0]?.group?.id ?? noGroup;
}

/** Whether the person (uuid) is an organizer of the group now. */
export async function isOrganizer({ peers }: Peers, group: string, person: string): Promise<boolean> {
  const { role } = await peers.groups.findMembership({ group, person }, { caller: anonymous });
  return role === Role.ORGANIZER;
}

/** @throws forbidden unless the person is an organizer */
export async function requireOrganizer(context: Peers, group: string, person: string): Promise<void> {
  if (await isOrganizer(context, group, person)) return;
  throw forbidden('only an organizer of the group can do this', { rule: 'only_organizers' });
}

/**
 * @param starter uuid of the person who started it, or of the owner of the AI that did
 * @throws forbidden unless the person is the starter or an organizer
 */
export async function requireStarter(
  context: Peers,
  group: string,
  starter: string,
  person: string,
): Promise<void> {
  if (person === starter || (await isOrganizer(context, group, person))) return;
  throw forbidden('only who started it, or an organizer of the group, can do this', { rule: 'only_starter' });
}
