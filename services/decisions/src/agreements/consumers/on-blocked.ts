import type { ReceivedEvent } from '@hearth/runtime';
import { isBlockedThere } from '../../shared/domain/blocks.ts';
import { copied } from '../actions/copied.ts';
import { changeItem } from '../actions/place-side.ts';
import type { Context } from '../context.ts';
import { findAgreements, findCopiesOf, findOpenOf } from '../db/agreements.ts';

/**
 * Ends, for the side of who blocks, what the blocked one proposed and that side has not signed. The others are not told: it waits
 * until its time is over, as one that is declined silently. Repeated it changes nothing.
 */
export const onBlocked = (context: Context) => ({
  durable: 'blocks-of-agreements',
  types: ['blocked'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received)
      if (event.data.case !== 'blocked') continue;
      else if (event.data.value.targetId !== '') await refuse(context, event.data.value);
      else await refuseElsewhere(context, event.data.value);
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

/** @param target an address of another home, or @home */
async function refuseElsewhere(context: Context, { person, target }: { person: string; target: string }) {
  const { copies, database } = context;
  for (const copy of await copies.byIds(await findCopiesOf(database.db, [person]))) {
    const row = copied(copy);
    const [starter, ...others] = row.sides;
    if (starter === undefined || !isBlockedThere(starter.address, target)) continue;
    for (const side of others)
      if (side.home === undefined && (side.person ?? side.ai) === person && !side.gone)
        await changeItem(context, { row, side }, { kind: 'place', ai: side.ai, box: 'refused' }, undefined);
  }
}
