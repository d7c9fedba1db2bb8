import { badField } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { readPage } from '@hearth/paging';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listApps as listRows } from '../db/apps.ts';
import { toApp } from '../domain/to-app.ts';

/** The apps of this home, the newest first. */
export const listApps =
  (context: Context): UnaryHandler<typeof AppsService.method.listApps> =>
  async (request) => {
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (after, limit) => listRows(context.database.db, after, limit),
      placeOf: ({ id }) => id,
    });
    return { apps: rows.map(toApp), nextCursor };
  };

/** The id of the last app of the page before. */
const cursor = {
  print: (id: string) => printId('app', id),
  read(text: string): string {
    const id = parseId('app', text);
    if (id === null)
      throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
    return id;
  },
};
