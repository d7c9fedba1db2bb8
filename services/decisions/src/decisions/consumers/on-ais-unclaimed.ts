import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { unnameStarter } from '../db/decisions.ts';

/** An AI that has lost its owner is not named any more as the one who started a decision: it chose that name itself. Not in what it starts once it is claimed anew. */
export const onAisUnclaimed = ({ commit }: Context) => ({
  durable: 'names-of-decisions',
  types: ['ai_unclaimed'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) {
      if (event.data.case !== 'aiUnclaimed') continue;
      const { ai, owner } = event.data.value;
      const until = timestampDate(event.at!);
      if (ai !== undefined) await commit((tx) => unnameStarter(tx, { ai: ai.id, person: owner, until }));
    }
  },
});
