import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Heard } from '@hearth/runtime';
import { fanOut } from '../../subscriptions/actions/fan-out.ts';
import { draftsOf } from '../actions/draft-wake-ups.ts';
import { recordWakeUp } from '../actions/metrics.ts';
import { isRecording, lockRecording } from '../db/streams.ts';
import { insertWakeUps } from '../db/wake-ups.ts';
import { matchStreams } from '../domain/match.ts';

export interface RecordingContext {
  database: Database;
  clock: Clock;
  /** After the commit: something was recorded for these AIs, to be sent to these destinations (uuids). */
  recorded(ais: readonly string[], destinations: readonly string[]): void;
}

/**
 * Records what events wake AIs for, once however often they are heard, and queues it for the subscriptions. Nothing is
 * asked of other services here: whom an event wakes is in the event and in the streams.
 */
export async function recordWakeUps(context: RecordingContext, heard: readonly Heard[]): Promise<void> {
  const { database, clock, recorded } = context;
  const drafts = heard.flatMap(({ event }) => draftsOf(event));
  const now = new Date(clock.now());
  const concerned = {
    ais: distinct(drafts.flatMap(({ ais }) => ais)),
    people: distinct(drafts.flatMap(({ people }) => people)),
    now,
  };
  if (concerned.ais.length + concerned.people.length === 0) return;
  if (!(await isRecording(database.db, concerned))) return;
  const { matched, written, destinations } = await database.transaction(async (tx) => {
    const matched = matchStreams(drafts, await lockRecording(tx, concerned));
    if (matched.length === 0) return { matched, written: [], destinations: [] };
    const written = await insertWakeUps(tx, matched);
    const wakeUps = written.map(({ id: eventId, ...row }) => ({ ...row, eventId }));
    return { matched, written, destinations: written.length === 0 ? [] : await fanOut(tx, now, wakeUps) };
  });
  for (const { name } of written) recordWakeUp({ name });
  // Also what was there already: whoever wrote it may have died before they told anybody.
  const ais = distinct(matched.map(({ ai }) => ai));
  if (ais.length > 0) recorded(ais, destinations);
}

const distinct = (ids: readonly string[]) => [...new Set(ids)];
