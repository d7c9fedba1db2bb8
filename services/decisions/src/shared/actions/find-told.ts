import { type Caller, callerKinds } from '@hearth/rpc';
import type { ThingRow, Whole } from '../db/thing-rows.ts';
import type { Member } from '../domain/member.ts';
import type { Things } from './create-things.ts';
import type { Deps } from './deps.ts';

/** The thing for an app by itself that is told of its outcome, because it holds one of its people; null for every other caller. */
export async function findTold<Row extends ThingRow, Person extends Member, Change>(
  { people }: Pick<Deps, 'people'>,
  things: Things<Row, Person, Change>,
  reference: string,
  { kind, id }: Caller,
): Promise<Whole<Row, Person> | null> {
  const whole = kind === callerKinds.APP ? await things.findAny(reference) : null;
  const facts = await people.find(whole?.people.map(({ person }) => person) ?? []);
  return [...facts.values()].some(({ app }) => app === id) ? whole : null;
}
