import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { copied } from '../actions/copied.ts';
import { changeItem } from '../actions/place-side.ts';
import type { Context } from '../context.ts';
import { findAgreements } from '../db/agreements.ts';
import { itemsOf } from '../domain/items.ts';

/** To the owner's own requests, or out of them: its sender reads nothing then. Children have none that wait. */
export const moveItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.moveItems> =>
  async ({ keys, to }) => {
    const { db } = context.database;
    const ids = keys.map(({ id }) => id);
    const box = to.case === 'owner' ? 'requests' : to.case === 'end' ? 'refused' : null;
    const [own, others] = await Promise.all([findAgreements(db, ids), context.copies.byIds(ids)]);
    const rows = new Map([...own, ...others.map(copied)].map((row) => [row.id, row]));
    for (const { id, part } of keys) {
      const row = rows.get(id);
      const side = row?.sides[part];
      if (row === undefined || side === undefined || box === null) continue;
      const act = { kind: 'place', ai: side.ai, box } as const;
      if (!side.gone) rows.set(id, await changeItem(context, { row, side }, act, undefined));
    }
    const changes = keys.map(({ id, part }) => {
      const row = rows.get(id);
      return row === undefined
        ? { placed: [], closed: [{ kind: 'agreement', id, part }] }
        : itemsOf(row, [part]);
    });
    return {
      change: {
        placed: changes.flatMap(({ placed = [] }) => placed),
        closed: changes.flatMap(({ closed = [] }) => closed),
      },
    };
  };
