import { nowDate } from '@hearth/clock';
import { cursorOf, readPage } from '@hearth/paging';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listApps as listRows } from '../db/apps.ts';
import { toOperator } from '../domain/to-app.ts';

/** The apps of this home, newest first. */
export const listApps =
  (context: Context): UnaryHandler<typeof AppsService.method.listApps> =>
  async (request) => {
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: cursorOf({ id: 'uuid' }),
      find: (after, limit) => listRows(context.database.db, after?.id ?? null, limit),
      placeOf: ({ id }) => ({ id }),
    });
    return { apps: rows.map((row) => toOperator(row, nowDate(context.clock))), nextCursor };
  };
