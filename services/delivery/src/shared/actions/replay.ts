import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, type HearthError } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { Announcement } from '@hearth/outbox';
import type { Host } from '@hearth/runtime';
import { type ReplayQuestion, replayAppEvents, type WholeAppDeliveryRow } from '../db/app-deliveries.ts';

export interface ReplayContext extends Pick<Host, 'clock' | 'commit' | 'limits'> {
  outbound: { poke(destinations: readonly string[]): void };
  /** Older events count as deleted, even before the purge job has removed them. */
  oldest(): Date;
}

/** Selects one event, whatever its status. */
export function oneEvent(app: string, { id, at }: WholeAppDeliveryRow): ReplayQuestion {
  return { app, id, since: at, until: at, types: null, status: null };
}

/** Selects the events of a time span. */
export function spanOf(
  { clock, oldest }: Pick<ReplayContext, 'clock' | 'oldest'>,
  app: string,
  asked: { since: Timestamp; until: Timestamp | undefined; status: number | undefined } & Pick<
    ReplayQuestion,
    'types'
  >,
): ReplayQuestion {
  const { since, until, types, status } = asked;
  return {
    app,
    id: null,
    since: new Date(Math.max(timestampDate(since).getTime(), oldest().getTime())),
    until: until === undefined ? new Date(clock.now()) : timestampDate(until),
    types,
    status: status ?? null,
  };
}

/**
 * Replays events of an app; returns how many.
 *
 * @param announcementsOf returns what to announce for that number
 * @throws bad_field if they are too many
 */
export async function replay(
  { clock, commit, limits, outbound }: ReplayContext,
  question: ReplayQuestion,
  announcementsOf: (count: number) => Announcement[] = () => [],
): Promise<number> {
  const limit = sizeOf(limits, 'replayed_deliveries');
  const count = await commit(async (tx) => {
    const found = await replayAppEvents(tx, question, { now: new Date(clock.now()), limit });
    if (found > limit) throw tooMany(limit);
    if (found > 0) tx.announce(...announcementsOf(found));
    return found;
  });
  if (count > 0) outbound.poke([question.app]);
  return count;
}

export const tooMany = (limit: number): HearthError =>
  badField('since', `leads to more than ${limit} events; ask for a shorter span of time, or fewer types`);
