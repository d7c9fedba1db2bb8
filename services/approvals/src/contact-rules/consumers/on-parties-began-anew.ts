import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { forgetSenders } from '../db/senders.ts';

/** Forgets what people decided about senders of the former home under that name. Blocks stay. */
export const onPartiesBeganAnew = ({ commit }: Pick<Context, 'commit'>) => ({
  durable: 'senders-began-anew',
  types: ['parties_began_anew'],
  async handle(events: ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { data } = event;
      if (data.case !== 'partiesBeganAnew') continue;
      await commit((tx) => forgetSenders(tx, data.value.parties, timestampDate(event.at!)));
    }
  },
});
