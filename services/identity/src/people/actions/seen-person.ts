import { notFound } from '@hearth/errors';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, personOf } from '@hearth/rpc';
import type { PeopleContext } from '../context.ts';

type Parts = Pick<PeopleContext, 'groups' | 'lookups'>;

/**
 * The person whom the caller names and can see.
 *
 * @throws not_found for everybody else, there or not
 */
export async function seenPerson(parts: Parts, reference: string, call: Call): Promise<PersonFacts> {
  const facts = await parts.lookups.resolve(reference, call.caller);
  if (facts === null || !(await canSee(parts, facts, call))) throw notFound();
  return facts;
}

/** Themselves, family, the app that holds them, and whoever shares a group with them. */
export async function canSee(parts: Parts, facts: PersonFacts, call: Call): Promise<boolean> {
  return (
    isClose(facts, call.caller) ||
    (await isGuardianOfViewer(parts, facts, call)) ||
    (await sharesGroup(parts, facts, call))
  );
}

function isClose({ id, guardians, app }: PersonFacts, caller: Caller): boolean {
  if (app !== '' && caller.app === app) return true;
  const viewer = personOf(caller);
  return viewer !== null && (viewer === id || guardians.includes(viewer));
}

async function isGuardianOfViewer({ lookups }: Parts, { id }: PersonFacts, { caller }: Call) {
  const viewer = caller.minor ? personOf(caller) : null;
  return viewer !== null && ((await lookups.find(viewer))?.guardians.includes(id) ?? false);
}

async function sharesGroup({ groups }: Parts, { id }: PersonFacts, call: Call): Promise<boolean> {
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
