import type { ReceivedEvent } from '@hearth/runtime';
import { audiences } from '../../events/module.ts';
import type { Context } from '../context.ts';
import { insertActivity } from '../db/activity.ts';
import { toRow } from '../domain/rows.ts';

/** Writes the activity rows of events; idempotent, so a redelivered event adds none. */
export const onEvent =
  ({ database }: Pick<Context, 'database'>) =>
  async (events: ReceivedEvent[]): Promise<void> => {
    const rows = events.flatMap(({ event }) => audiences.activity.drafts(event).map(toRow));
    if (rows.length > 0) await database.statement((tx) => insertActivity(tx, rows));
  };
