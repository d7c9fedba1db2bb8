import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { forgetRemoteIds } from '../../shared/db/parties.ts';
import type { Context } from '../context.ts';

const mostAtOnce = 500;

/**
 * Another home is under an old name: its ids are of others. A party keeps its uuid, by which it is blocked, and is whoever is at its
 * address next; the other services end what was between it and anyone here. Repeated it changes nothing, also once the new home was met.
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
