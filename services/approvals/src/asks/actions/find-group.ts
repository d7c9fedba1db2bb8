import { parseAddress } from '@hearth/addresses';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { type Call, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { Asker } from './find-asker.ts';

type Needed = Pick<Context, 'homeNames' | 'peers' | 'people'>;

/**
 * The group of an ask: one that the asker (their person) is in, or the one that the AI runs.
 *
 * @throws forbidden for an AI without the permission group; not_found for every other group; bad_request (archived)
 */
export async function findGroup(
  context: Needed,
  reference: string,
  asker: Asker,
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
  { homeNames, peers }: Needed,
  reference: string,
  asker: Asker,
  call: Call,
): Promise<GroupFacts | undefined> {
  if (asker.group === null) {
    if (asker.person === null) return undefined;
    const request = { group: reference, person: asker.person.id };
    return (await peers.groups.findMembership(request, { call })).group;
  }
  const { results } = await peers.groups.findGroups({ ids: [asker.group] }, { call });
  const own = results[0]?.group;
  if (own === undefined) return undefined;
  const address = parseAddress(reference, homeNames);
  const isAddress = address?.kind === 'group' && address.home === undefined && address.handle === own.handle;
  return isAddress || reference === printId('grp', own.id) ? own : undefined;
}

/** Somebody under 18 whom an ask concerns, with the guardians to whom it goes. */
export interface About {
  child: PersonFacts;
  guardians: PersonFacts[];
}

/**
 * @param group in which they are; null where an app asks about somebody whom it holds
 * @throws bad_field for who is of age; not_found for who may not be seen, is in no such group or not held by the app;
 *   bad_request (guardian_needed) for who has no guardian
 */
export async function findAbout(
  { people, peers }: Needed,
  reference: string,
  group: GroupFacts | null,
  call: Call,
): Promise<About> {
  const child = await people.resolve(reference, call.caller);
  if (child === null) throw notFound();
  if (!isMinor(child)) throw badField('about', 'is for somebody under 18; ask adults themselves');
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
