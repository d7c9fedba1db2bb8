import type { ReceivedEvent } from '@hearth/runtime';
import { eventsTopic } from '../../shared/domain/streams.ts';
import { draftsOf } from '../actions/draft-wake-ups.ts';
import { recordWakeUp } from '../actions/metrics.ts';
import type { Context } from '../context.ts';
import { isRecording, lockRecording } from '../db/streams.ts';
import { insertWakeUps } from '../db/wake-ups.ts';
import { matchStreams } from '../domain/match.ts';

/**
 * Records the wake-ups that events cause, once each, and queues them for subscriptions. It calls no other
 * service: events and streams name the AIs to wake.
 */
export const onWakeUp =
  ({
    clock,
    commit,
    database,
    outbound,
    subscribers,
  }: Pick<Context, 'clock' | 'commit' | 'database' | 'outbound' | 'subscribers'>) =>
  async (events: readonly ReceivedEvent[]): Promise<void> => {
    const drafts = events.flatMap(({ event }) => draftsOf(event));
    const now = new Date(clock.now());
    const concerned = {
      ais: distinct(drafts.flatMap(({ ais }) => ais)),
      people: distinct(drafts.flatMap(({ people }) => people)),
      now,
    };
    if (concerned.ais.length + concerned.people.length === 0) return;
    if (!(await isRecording(database.db, concerned))) return;
    const { written, destinations } = await commit(async (tx) => {
      const matched = matchStreams(drafts, await lockRecording(tx, concerned));
      if (matched.length === 0) return { written: [], destinations: [] };
      const written = await insertWakeUps(tx, matched);
      const wakeUps = written.map(({ id: eventId, ...row }) => ({ ...row, eventId }));
      // Existing rows too: the process that wrote them may have died before it woke their topics.
      tx.wake(...distinct(matched.map(({ ai }) => ai)).map(eventsTopic));
      return {
        written,
        destinations: written.length === 0 ? [] : await subscribers.queue(tx, now, wakeUps),
      };
    });
    for (const { name } of written) recordWakeUp({ name });
    if (destinations.length > 0) outbound.poke(destinations);
  };

const distinct = (ids: readonly string[]) => [...new Set(ids)];
