import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { endAccess } from '../actions/fan-out.ts';
import { noteWakes } from '../actions/note-wakes.ts';
import type { Context } from '../context.ts';
import { findAisOf } from '../db/subscriptions.ts';

/**
 * Ends the subscriptions made through an app that no longer holds the AI's person, through a former guardian,
 * or through a program whose grant ended. Idempotent.
 */
export const onAccessEnded = (context: Context) => ({
  durable: 'subscription-access',
  types: ['grant_ended', 'person_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const { clock, database, facts, outbound } = context;
    for (const { data } of received.map(({ event }) => event)) {
      const ended: Parameters<typeof endAccess>[2][] = [];
      if (data.case === 'grantEnded')
        ended.push({ ais: [data.value.ai], through: `grant:${data.value.grant}` });
      const changed = data.case === 'personChanged' ? data.value.changed : [];
      if (data.case === 'personChanged' && (changed.includes('app') || changed.includes('guardian'))) {
        const person = data.value.person?.id ?? '';
        // Not from the cache, which may be older than the event.
        const { results } = await facts.findPeople({ ids: [person] }, { caller: anonymous });
        const { app = '', guardians = [] } = results[0]?.facts ?? {};
        const makers = [person, ...guardians].map((one) => `maker:${one}`);
        ended.push({ people: [person], through: 'app:', besides: [`app:${app}`] });
        ended.push({ people: [person], through: 'maker:', besides: makers });
      }
      for (const subscriptions of ended) {
        const ids = await database.statement((tx) => endAccess(tx, new Date(clock.now()), subscriptions));
        outbound.poke(ids);
        for (const ai of await findAisOf(database.db, ids)) await noteWakes(context, ai);
      }
    }
  },
});
