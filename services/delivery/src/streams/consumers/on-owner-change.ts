import type { Database } from '@hearth/db';
import type { Event } from '@hearth/proto/events/v1/events';
import type { Heard } from '@hearth/runtime';
import type { Streams } from '../actions/streams.ts';
import { findStreamsOf } from '../db/streams.ts';

/** What can change for whom an AI is woken. */
export const ownerEvents = [
  'ai_claimed',
  'ai_unclaimed',
  'ai_unvouched',
  'ai_changed',
  'ai_revoked',
  'person_changed',
  'account_deleted',
];

/** Looks anew for whom AIs are woken, when something happened to them or their people. */
export async function followOwners(
  { database, streams }: { database: Database; streams: Pick<Streams, 'refresh'> },
  heard: readonly Heard[],
): Promise<void> {
  const ids = [...new Set(heard.flatMap(({ event }) => concerned(event)))].filter((id) => id !== '');
  if (ids.length > 0) await streams.refresh(await findStreamsOf(database.db, ids));
}

/** uuids of AIs and people. */
function concerned({ data }: Event): string[] {
  switch (data.case) {
    case 'aiClaimed':
    case 'aiUnclaimed':
    case 'aiUnvouched':
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
