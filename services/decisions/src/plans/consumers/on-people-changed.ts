import type { ReceivedEvent } from '@hearth/runtime';
import { concerned, knowAgain, peopleEvents, sameFacts } from '../../shared/actions/know-again.ts';
import type { Context } from '../context.ts';
import { planTable } from '../db/plans.ts';

/**
 * Keeps the people of plans that have not ended as they are: guardians, roles, those who left their group or whose account
 * is gone. Repeated it changes nothing.
 */
export const onPeopleChanged = (context: Context) => ({
  durable: 'people-of-plans',
  types: peopleEvents,
  async handle(received: readonly ReceivedEvent[]) {
    const people = [...new Set(received.flatMap(({ event: { data } }) => concerned(data)))];
    if (people.length === 0) return;
    for (const id of await planTable.findOpenOfPeople(context.database.db, people))
      await look(context, id, people);
  },
});

/** Looks again at the people of one plan: at those, and at the children whom they guard. */
async function look({ peers, plans, signing }: Context, id: string, changed: readonly string[]) {
  const found = await plans.find(id);
  if (found === null) return;
  const known = await knowAgain({ peers }, found, changed);
  const state = await plans.actAll(id, [
    ({ people }) => {
      const gone = people.flatMap(({ person }) => (known.get(person) === null ? [person] : []));
      return { act: { kind: 'drop', people: gone } };
    },
    ({ people }) => {
      const now = people.map((one) => ({ ...one, ...known.get(one.person) }));
      return sameFacts(people, now) ? null : { act: { kind: 'know', people: now } };
    },
  ]);
  await signing.now(state);
}
