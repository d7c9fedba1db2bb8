import type { Database } from '@hearth/db';
import type { Event } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
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
  ({ database, refresh }: { database: Database; refresh(ais: readonly string[]): Promise<void> }) =>
  async (events: readonly ReceivedEvent[]): Promise<void> => {
    const ids = [...new Set(events.flatMap(({ event }) => concerned(event)))].filter((id) => id !== '');
    if (ids.length > 0) await refresh(await findStreamsOf(database.db, ids));
  };

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
