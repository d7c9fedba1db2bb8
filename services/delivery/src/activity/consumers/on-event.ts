import type { Database } from '@hearth/db';
import { eventType } from '@hearth/outbox';
import type { Heard } from '@hearth/runtime';
import { insertActivity } from '../db/activity.ts';
import type { EventValue } from '../domain/draft.ts';
import { activityCases, rowsOf } from '../domain/rows.ts';

/** The events that make activity, by the names that they are heard by. */
export const activityTypes = activityCases.map((name) =>
  eventType({ case: name, value: {} as EventValue<typeof name> } as Parameters<typeof eventType>[0]),
);

/** Writes what events say to those whom they concern, once however often they are heard. */
export async function recordActivity(database: Database, heard: Heard[]): Promise<void> {
  const rows = heard.flatMap(({ event }) => rowsOf(event));
  if (rows.length > 0) await database.statement((tx) => insertActivity(tx, rows));
}
