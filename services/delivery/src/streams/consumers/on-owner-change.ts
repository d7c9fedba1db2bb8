import type { Database } from '@hearth/db';
import type { Event } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { findStreamsOf } from '../db/streams.ts';

/** The events that can change for whom an AI is woken. */
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

/** Finds anew for whom AIs are woken, when something happened to them or their people. */
export const onOwnerChange =
  ({ database, refresh }: { database: Database; refresh(ais: readonly string[]): Promise<void> }) =>
  async (events: readonly ReceivedEvent[]): Promise<void> => {
    const ids = [...new Set(events.flatMap(({ event }) => concerned(event)))].filter((id) => id !== '');
    if (ids.length > 0) await refresh(await findStreamsOf(database.db, ids));
  };

/** uuids of AIs and people. */
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
