import type { ReceivedEvent } from '@hearth/runtime';
import { concerned, knowAgain, peopleEvents, sameFacts } from '../../shared/actions/know-again.ts';
import type { Context } from '../context.ts';
import { decisionTable } from '../db/decisions.ts';
import type { Act } from '../domain/machine.ts';

/**
 * Keeps the people of decisions that have not ended as they are: guardians, roles, those who left their group or whose
 * account is gone. Repeated it changes nothing.
 */
export const onPeopleChanged = (context: Context) => ({
  durable: 'people',
  types: peopleEvents,
  async handle(received: readonly ReceivedEvent[]) {
    const people = [...new Set(received.flatMap(({ event: { data } }) => concerned(data)))];
    if (people.length === 0) return;
    for (const id of await decisionTable.findOpenOfPeople(context.database.db, people))
      await look(context, id, people);
  },
});

/** Looks again at the people of one decision: at those, and at the children whom they guard. */
async function look(context: Context, id: string, changed: readonly string[]): Promise<void> {
  const found = await context.decisions.find(id);
  if (found === null) return;
  const known = await knowAgain(context, found, changed);
  const state = await context.decisions.act(id, ({ people }) => {
    const gone = people.flatMap(({ person }) => (known.get(person) === null ? [person] : []));
    if (gone.length > 0) return { act: { kind: 'drop', people: gone } satisfies Act };
    const now = people.map((one) => ({ ...one, ...known.get(one.person) }));
    return sameFacts(people, now) ? null : { act: { kind: 'know', people: now } satisfies Act };
  });
  const again = await context.signing.now(state);
  // Those who stay may have changed beside those who left.
  const left = [...known].some(
    ([person, facts]) => facts === null && found.people.some((one) => one.person === person),
  );
  if (left && again.people.length > 0)
    await look(
      context,
      id,
      changed.filter((one) => known.get(one) !== null),
    );
}
