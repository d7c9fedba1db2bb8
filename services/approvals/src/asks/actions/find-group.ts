import { parseAddress } from '@hearth/addresses';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { anonymous, type Call, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AskerHere } from './find-asker.ts';

type Deps = Pick<Context, 'homeNames' | 'peers' | 'people'>;

/**
 * The group of an ask: a group of the asker or of the AI's person, or the group that the AI runs.
 *
 * @throws forbidden for an AI without the permission `group`; not_found for any other group; bad_request
 * (archived)
 */
export async function findGroup(
  context: Deps,
  reference: string,
  asker: AskerHere,
  call: Call,
): Promise<GroupFacts> {
  const { caller } = call;
  if (caller.kind === callerKinds.AI && !caller.scopes.includes(Scope.GROUP)) {
    throw forbidden('asking within a group needs the permission group; your person can give it to you', {
      scopes: ['group'],
    });
  }
  const group = await groupOf(context, reference, asker, call);
  if (group === undefined) throw notFound();
  if (group.archived)
    throw badRequest('this group is archived: nothing is asked in it any more', { code: 'archived' });
  return group;
}

async function groupOf(
  { homeNames, peers }: Deps,
  reference: string,
  asker: AskerHere,
  call: Call,
): Promise<GroupFacts | undefined> {
  if (asker.party.group === null) {
    if (asker.person === null) return undefined;
    const request = { group: reference, person: asker.person.id };
    const { group, candidates } = await peers.groups.findMembership(request, { call });
    if (candidates.length > 0)
      throw badField(
        'group',
        `several groups of yours have that name; give the address: ${candidates.join(', ')}`,
      );
    return group;
  }
  const { results } = await peers.groups.findGroups({ ids: [asker.party.group] }, { call });
  const own = results[0]?.group;
  if (own === undefined) return undefined;
  const address = parseAddress(reference, homeNames);
  const isAddress = address?.kind === 'group' && address.home === undefined && address.handle === own.handle;
  const isName = reference.toLowerCase() === own.name.toLowerCase();
  return isAddress || isName || reference === printId('grp', own.id) ? own : undefined;
}

/** A child that an ask is about, and the guardians it goes to. */
export interface About {
  child: PersonFacts;
  guardians: PersonFacts[];
}

/**
 * @param group the child's group; null if an app asks about a child it manages
 * @throws bad_field for an adult; not_found for a child that the caller may not see, in another group, or not
 * managed by the app; bad_request (guardian_needed) for a child without a guardian
 */
export async function findAbout(
  { people, peers }: Deps,
  reference: string,
  group: GroupFacts | null,
  call: Call,
): Promise<About> {
  const child = await people.resolve(reference, call.caller);
  if (child === null) throw notFound();
  if (!isMinor(child)) throw badField('about', 'is for a person under 18; ask adults themselves');
  if (group === null) {
    if (child.app === '' || child.app !== call.caller.app) throw notFound();
  } else {
    const member = await peers.groups.findMembership({ group: group.id, person: child.id }, { call });
    if (member.group === undefined) throw notFound();
  }
  const found = await people.find(child.guardians);
  const guardians = child.guardians.flatMap((id) => found.get(id) ?? []);
  if (guardians.length === 0) {
    throw badRequest('about: they have no guardian here who could answer', {
      code: 'guardian_needed',
      field: 'about',
    });
  }
  return { child, guardians };
}

/** Whether the group (uuid) is archived or deleted. */
export async function isArchived({ peers }: Pick<Context, 'peers'>, group: string): Promise<boolean> {
  const { results } = await peers.groups.findGroups({ ids: [group] }, { caller: anonymous });
  return results[0]?.group?.archived !== false;
}
