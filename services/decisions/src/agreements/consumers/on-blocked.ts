import type { ReceivedEvent } from '@hearth/runtime';
import { changeItem } from '../actions/place-side.ts';
import type { Context } from '../context.ts';
import { findAgreements, findOpenOf } from '../db/agreements.ts';

/**
 * Ends, for the side of who blocks, what the blocked one proposed and that side has not signed. The others are not told: it waits
 * until its time is over, as one that is declined silently. Repeated it changes nothing.
 */
export const onBlocked = (context: Context) => ({
  durable: 'blocks-of-agreements',
  types: ['blocked'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received)
      if (event.data.case === 'blocked' && event.data.value.targetId !== '')
        await refuse(context, event.data.value);
  },
});

async function refuse(context: Context, { person, targetId }: { person: string; targetId: string }) {
  const { db } = context.database;
  for (const row of await findAgreements(db, await findOpenOf(db, [person]))) {
    const [starter, ...others] = row.sides;
    if (starter?.ai !== targetId && starter?.person !== targetId) continue;
    for (const side of others)
      if ((side.person ?? side.ai) === person && !side.gone)
        await changeItem(context, { row, side }, { kind: 'place', ai: side.ai, box: 'refused' }, undefined);
  }
}
