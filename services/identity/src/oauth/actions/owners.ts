import { notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { listChildrenOf } from '../../shared/db/guardianships.ts';
import { guardianNeeded, ownAct, requireMayOwn } from '../../shared/domain/own-act.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import type { Context } from '../context.ts';

/** uuids of the caller and their wards. */
export async function ownersOf(context: Context, caller: Caller): Promise<string[]> {
  const person = ownAct(caller);
  return [person, ...(await childrenOf(context, person)).map(({ id }) => id)];
}

/** The children that a person guards, up to the age of 18. */
export async function childrenOf({ database, people }: Context, person: string): Promise<PersonFacts[]> {
  const ids = await listChildrenOf(database.db, person);
  const facts = await Promise.all(ids.map((id) => people.find(id)));
  return facts.filter((each) => each !== null).filter(({ guardians }) => guardians.includes(person));
}

/**
 * Returns the calling person, who must be an adult with a sign-in.
 *
 * @throws forbidden saying what is missing
 */
export async function requireConsenter({ people }: Context, caller: Caller): Promise<PersonFacts> {
  const facts = await people.find(ownAct(caller));
  if (facts === null) throw notFound();
  if (isMinor(facts)) throw guardianNeeded('only a guardian can connect a program for a person under 18');
  requireMayOwn(caller, toOwner(facts));
  return facts;
}
