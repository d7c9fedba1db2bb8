import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { dropFromGroups } from '../actions/drop-person.ts';
import type { Context } from '../context.ts';
import { forgetJoinedAt } from '../db/joined-elsewhere.ts';

/**
 * Handles a new home under an old name: drops memberships of its previous people, and local people's consents
 * to its previous groups. Also drops people who are gone, even if their home did not report it for each
 * group.
 */
export const onPartiesBeganAnew = (context: Context) => ({
  durable: 'parties-began-anew',
  types: ['other_home_changed', 'parties_began_anew', 'party_gone'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { data } = event;
      const at = timestampDate(event.at!);
      if (data.case === 'otherHomeChanged' && data.value.change === 'began_anew') {
        const { home } = data.value;
        await context.commit((tx) => forgetJoinedAt(tx, home, at));
      }
      if (data.case === 'partyGone') await dropFromGroups(context, data.value.party, at);
      if (data.case !== 'partiesBeganAnew') continue;
      // First, so that the new home is not told of the groups that its previous people leave here.
      await context.things.beganAnew(data.value.home, at);
      for (const party of data.value.parties) await dropFromGroups(context, party, at);
    }
  },
});
