import { type HomeNames, otherHomeIn, parseAddress } from '@hearth/addresses';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type GroupFacts, Role, type RosterEntry } from '@hearth/proto/groups/v1/groups';
import { actingPerson, anonymous, type Call, callerKinds } from '@hearth/rpc';
import type { Deps } from './deps.ts';

type Peers = Pick<Deps, 'peers'>;

/** A group, and its members where they came with it. */
export interface FoundGroup {
  group: GroupFacts;
  members: readonly RosterEntry[];
}

/**
 * A group of the caller's person, or the one that the AI runs.
 *
 * @param reference id, &address or name; absent: the only one that the person is in
 * @param roster so many members are told with it at most
 * @throws not_found for every other; bad_field for a name that several have, and where none of several is named; bad_request (archived)
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

/** @throws bad_field for a group of another home */
function requireHere(group: string, homeNames: HomeNames): void {
  const home = otherHomeIn(group, homeNames);
  if (home !== null)
    throw badField('group', `is of ${home}, where its decisions and plans are started; you are asked here`);
}

/** @throws bad_field unless the person (uuid) is in one group alone */
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

/** No uuid of any group. */
export const noGroup = '00000000-0000-0000-0000-000000000000';

/** uuid of the group of that id or &address, for a list: what belongs to an unknown group is an empty list. */
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

/** Whether that person (uuid) is an organizer of the group now. */
export async function isOrganizer({ peers }: Peers, group: string, person: string): Promise<boolean> {
  const { role } = await peers.groups.findMembership({ group, person }, { caller: anonymous });
  return role === Role.ORGANIZER;
}

/** @throws forbidden for every other person */
export async function requireOrganizer(context: Peers, group: string, person: string): Promise<void> {
  if (await isOrganizer(context, group, person)) return;
  throw forbidden('only an organizer of the group can do this');
}

/** @param starter uuid of the person who started it, or behind the AI that did. @throws forbidden */
export async function requireStarter(
  context: Peers,
  group: string,
  starter: string,
  person: string,
): Promise<void> {
  if (person === starter || (await isOrganizer(context, group, person))) return;
  throw forbidden('only who started it, or an organizer of the group, can do this');
}
