import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { endAccess } from '../actions/fan-out.ts';
import { noteWakes } from '../actions/note-wakes.ts';
import type { Context } from '../context.ts';
import { findAisOf } from '../db/subscriptions.ts';

/**
 * Ends the subscriptions of an app that holds the person of an AI no more, and of a program that acts as an AI no more. Repeated it
 * changes nothing.
 */
export const onAccessEnded = (context: Context) => ({
  durable: 'subscription-access',
  types: ['grant_ended', 'person_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const { clock, database, facts, outbound } = context;
    for (const { data } of received.map(({ event }) => event)) {
      let ended: Parameters<typeof endAccess>[2] | undefined;
      if (data.case === 'grantEnded') ended = { ais: [data.value.ai], through: `grant:${data.value.grant}` };
      if (data.case === 'personChanged' && data.value.changed.includes('app')) {
        const person = data.value.person?.id ?? '';
        // Not from the cache: it may be older than the event.
        const { results } = await facts.findPeople({ ids: [person] }, { caller: anonymous });
        ended = { people: [person], through: 'app:', besides: `app:${results[0]?.facts?.app ?? ''}` };
      }
      if (ended === undefined) continue;
      const now = new Date(clock.now());
      const ids = await database.statement((tx) => endAccess(tx, now, ended));
      outbound.poke(ids);
      for (const ai of await findAisOf(database.db, ids)) await noteWakes(context, ai);
    }
  },
});
