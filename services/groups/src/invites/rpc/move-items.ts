import { isUuid } from '@hearth/ids';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import type { UnaryHandler } from '@hearth/rpc';
import { endForRecipient, moveToFamily, moveToOwner } from '../actions/move-invite.ts';
import type { Context } from '../context.ts';
import { findItems } from '../db/items.ts';
import { toItem } from '../domain/items.ts';

/** Moves or ends invites without notifying their makers. */
export const moveItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.moveItems> =>
  async ({ keys, to }) => {
    const { db } = context.database;
    const ids = keys.map(({ id }) => id).filter(isUuid);
    for (const invite of await findItems(db, ids)) {
      if (!invite.placed) continue;
      if (to.case === 'owner') await moveToOwner(context, invite);
      if (to.case === 'family') await moveToFamily(context, invite, to.value);
      if (to.case === 'end') await endForRecipient(context, invite, to.value);
    }
    const rows = new Map((await findItems(db, ids)).map((row) => [row.id, row]));
    const [open, closed] = [keys.filter(isOpen), keys.filter((key) => !isOpen(key))];
    return { change: { placed: open.map(({ id }) => toItem(rows.get(id)!)), closed } };

    function isOpen({ id, part }: ItemKey): boolean {
      const row = rows.get(id);
      return row?.placed === true && row.part === part;
    }
  };
