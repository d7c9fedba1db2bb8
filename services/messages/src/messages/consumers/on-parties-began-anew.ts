import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { endContacts } from '../db/contacts.ts';
import { leaveThreads } from '../db/threads.ts';

/**
 * Ends contacts with the parties and closes their threads to new messages; existing messages stay readable.
 */
export const onPartiesBeganAnew = ({ commit }: Pick<Context, 'commit'>) => ({
  durable: 'parties-began-anew',
  types: ['parties_began_anew'],
  async handle(events: ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { data } = event;
      if (data.case !== 'partiesBeganAnew') continue;
      const { parties } = data.value;
      const before = timestampDate(event.at!);
      await commit(async (tx) => {
        await endContacts(tx, parties, before);
        await leaveThreads(tx, parties, before);
        tx.signal('message_contacts', '');
      });
    }
  },
});
