import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Database } from '@hearth/db';
import type { Event } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Keeper } from '../actions/keep-streams.ts';
import { findStreamsOf } from '../db/streams.ts';

/** Events that can change an AI's owner or rights. */
export const ownerEvents = [
  'ai_claimed',
  'ai_unclaimed',
  'ai_unvouched',
  'ai_changed',
  'ai_revoked',
  'ai_suspended',
  'ai_restored',
  'person_changed',
  'account_deleted',
];

/** Refreshes the streams of AIs when they or their people change. */
export const onOwnerChange =
  ({ database, refresh }: { database: Database } & Pick<Keeper, 'refresh'>) =>
  async (events: readonly ReceivedEvent[]): Promise<void> => {
    const times = latestTimes(events);
    if (times.size === 0) return;
    const streams = await findStreamsOf(database.db, [...times.keys()]);
    const changed = new Map(
      streams.map(({ ai, person }) => [ai, latest(times.get(ai), times.get(person ?? ''))]),
    );
    await refresh(changed);
  };

/** Returns when the last of the events about each AI or person (uuid) happened. */
function latestTimes(events: readonly ReceivedEvent[]): Map<string, Date> {
  const times = new Map<string, Date>();
  for (const { event } of events)
    for (const id of concerned(event).filter((id) => id !== ''))
      times.set(id, latest(times.get(id), timestampDate(event.at!)));
  return times;
}

const latest = (...times: (Date | undefined)[]) =>
  new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));

/** Returns the uuids of the AIs and people that an event concerns. */
function concerned({ data }: Event): string[] {
  switch (data.case) {
    case 'aiClaimed':
    case 'aiUnclaimed':
    case 'aiUnvouched':
    case 'aiSuspended':
    case 'aiRestored':
      return [data.value.ai?.id ?? ''];
    case 'aiChanged':
    case 'aiRevoked':
      return [data.value.ai];
    case 'personChanged':
      return [data.value.person?.id ?? ''];
    case 'accountDeleted':
      return data.value.deleted;
    default:
      return [];
  }
}
