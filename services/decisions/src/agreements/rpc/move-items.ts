import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { change } from '../actions/change.ts';
import { findBoth } from '../actions/copied.ts';
import type { Context } from '../context.ts';
import { itemsOf } from '../domain/items.ts';

/** Moves items to the owner's requests, or ends them; the sender learns nothing. Minors have no waiting agreements. */
export const moveItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.moveItems> =>
  async ({ keys, to }) => {
    const box = to.case === 'owner' ? 'requests' : to.case === 'end' ? 'refused' : null;
    const found = await findBoth(
      context,
      keys.map(({ id }) => id),
    );
    const rows = new Map(found.map((row) => [row.id, row]));
    for (const { id, part } of keys) {
      const row = rows.get(id);
      const side = row?.sides[part];
      if (row === undefined || side === undefined || box === null) continue;
      const act = { kind: 'place', ai: side.ai, box } as const;
      if (!side.gone) rows.set(id, await change(context, row, () => act));
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
