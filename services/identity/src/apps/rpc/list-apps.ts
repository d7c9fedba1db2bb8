import { badField } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import type { AppsContext } from '../context.ts';
import { listApps as readApps } from '../db/apps.ts';
import { toApp } from '../domain/to-app.ts';
import type { AppsHandlers } from '../handlers.ts';

const usual = 20;

/** The apps of this home, the newest first. */
export function listApps({ database, limits }: AppsContext): AppsHandlers['listApps'] {
  return async ({ cursor, limit = Math.min(usual, sizeOf(limits, 'page_entries')) }) => {
    const rows = await readApps(database.db, cursor === undefined ? null : readCursor(cursor), limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const more = rows.length > limit && last !== undefined;
    return { apps: shown.map(toApp), ...(more && { nextCursor: printId('app', last.id) }) };
  };
}

/** The id of the last app of the page before. */
function readCursor(text: string): string {
  const id = parseId('app', text);
  if (id === null) throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return id;
}
