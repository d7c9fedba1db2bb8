import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { ThingRow, Whole } from '../db/thing-rows.ts';
import type { Member } from '../domain/member.ts';
import type { Things } from './create-things.ts';
import type { Deps } from './deps.ts';

/**
 * The thing if the caller is an app, acting for no person, that holds a participant's account and so receives
 * the outcome; else null.
 */
export async function findTold<Row extends ThingRow, Person extends Member, Change>(
  { people }: Pick<Deps, 'people'>,
  things: Things<Row, Person, Change>,
  reference: string,
  caller: Caller,
): Promise<Whole<Row, Person> | null> {
  if (caller.kind !== callerKinds.APP) return null;
  const whole = await things.findAny(reference);
  const ids = whole?.people.map(({ person }) => person) ?? [];
  return (await findHeld({ people }, ids, caller)) === undefined ? null : whole;
}

/** The first of these people (uuids) whose account the app holds. */
export async function findHeld(
  { people }: Pick<Deps, 'people'>,
  ids: readonly string[],
  app: Pick<Caller, 'id'>,
): Promise<PersonFacts | undefined> {
  const facts = await people.find(ids);
  return [...facts.values()].find((person) => person.app === app.id);
}
