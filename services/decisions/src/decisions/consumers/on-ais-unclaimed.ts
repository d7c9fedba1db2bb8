import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { unnameStarter } from '../db/decisions.ts';

/**
 * Replaces an AI's name by its address in decisions it started before it lost its owner: the AI chose that
 * name itself. Decisions started after a new claim keep it.
 */
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
