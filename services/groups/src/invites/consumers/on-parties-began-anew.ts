import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { endInvite, findWaiting } from '../actions/end-invite.ts';
import type { Context } from '../context.ts';
import { takeFromParties } from '../db/invites.ts';

/** Handles a new home under an old name: invites to the previous home's people no longer reach anyone there. */
export const onPartiesBeganAnew = (context: Context) => ({
  durable: 'invites-began-anew',
  types: ['parties_began_anew'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { data } = event;
      if (data.case !== 'partiesBeganAnew') continue;
      const { parties } = data.value;
      const before = timestampDate(event.at!);
      for (const invite of await context.commit((tx) => takeFromParties(tx, parties, before))) {
        const known = await findWaiting(context, invite);
        await context.invites.locked(invite, (tx, locked) =>
          endInvite(context, tx, locked, { why: 'revoked', known }),
        );
      }
    }
  },
});
