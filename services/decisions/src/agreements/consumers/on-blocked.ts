import { timestampDate } from '@bufbuild/protobuf/wkt';
import { blockEnds } from '@hearth/people';
import type { ReceivedEvent } from '@hearth/runtime';
import { isBlocked } from '../../shared/domain/blocks.ts';
import { change } from '../actions/change.ts';
import { findBoth } from '../actions/copied.ts';
import type { Context } from '../context.ts';
import { findOpenOf } from '../db/agreements.ts';

/**
 * Ends an agreement for a side whose owner blocked the AI that proposed it, unless the side has signed. The
 * other sides aren't told: like a silent decline, the agreement waits until it expires. Idempotent, also
 * after the block was lifted.
 */
export const onBlocked = (context: Context) => ({
  durable: 'blocks-of-agreements',
  types: ['blocked'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) {
      if (event.data.case !== 'blocked') continue;
      const { person } = event.data.value;
      const open = await findOpenOf(context.database.db, [person], blockEnds(timestampDate(event.at!)));
      for (const row of await findBoth(context, open)) {
        const [starter, ...others] = row.sides;
        if (starter === undefined || !isBlocked({ ...starter, id: starter.ai }, event.data.value)) continue;
        for (const side of others)
          if ((side.person ?? side.ai) === person && !side.gone)
            await change(context, row, () => ({ kind: 'place', ai: side.ai, box: 'refused' }));
      }
    }
  },
});
