import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { forgetRemoteIds } from '../../shared/db/parties.ts';
import type { Context } from '../context.ts';

const mostAtOnce = 500;

/**
 * Handles a new home under a known name. Its ids belong to new parties, so the stored ones are forgotten;
 * each party keeps its uuid (for blocks) and becomes whoever has its address next. Other services end what
 * was pending with them. Idempotent, even after parties of the new home were met.
 */
export const onOtherHomeChanged = ({ commit }: Pick<Context, 'commit'>) => ({
  durable: 'parties-of-homes',
  types: ['other_home_changed'],
  async handle(events: ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { data } = event;
      if (data.case !== 'otherHomeChanged' || data.value.change !== 'began_anew') continue;
      const { home } = data.value;
      await commit(async (tx) => {
        const parties = await forgetRemoteIds(tx, home, timestampDate(event.at!));
        for (let at = 0; at < parties.length; at += mostAtOnce) {
          const value = { home, parties: parties.slice(at, at + mostAtOnce) };
          tx.announce({ data: { case: 'partiesBeganAnew', value } });
        }
      });
    }
  },
});
