import { notFound } from '@hearth/errors';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';

type Deps = Pick<Context, 'groups' | 'people'>;

/**
 * Returns the named person if the caller can see them: themselves, family, a person the calling app holds, or
 * a fellow member of a group.
 *
 * @throws not_found otherwise, whether or not they exist
 */
export async function visiblePerson(deps: Deps, reference: string, call: Call): Promise<PersonFacts> {
  const facts = await deps.people.resolve(reference, call.caller);
  if (facts === null) throw notFound();
  const visible =
    isClose(facts, call.caller) ||
    (await isGuardianOfViewer(deps, facts, call)) ||
    (await sharesGroup(deps, facts, call));
  if (!visible) throw notFound();
  return facts;
}

function isClose({ id, guardians, app }: PersonFacts, caller: Caller): boolean {
  if (app !== '' && caller.app === app) return true;
  const viewer = personOf(caller);
  return viewer !== null && (viewer === id || guardians.includes(viewer));
}

async function isGuardianOfViewer({ people }: Deps, { id }: PersonFacts, { caller }: Call) {
  const viewer = caller.minor ? personOf(caller) : null;
  return viewer !== null && ((await people.find(viewer))?.guardians.includes(id) ?? false);
}

async function sharesGroup({ groups }: Deps, { id }: PersonFacts, call: Call): Promise<boolean> {
  const { caller } = call;
  if (caller.group !== '') {
    const { group } = await groups.findMembership({ group: caller.group, person: id }, { call });
    return group !== undefined;
  }
  const viewer = personOf(caller);
  if (viewer === null) return false;
  const { share } = await groups.shareGroup({ pairs: [{ one: viewer, other: id }] }, { call });
  return share[0] === true;
}
