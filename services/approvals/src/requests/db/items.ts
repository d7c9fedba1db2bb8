import type { Tx } from '@hearth/db';

/** The name of an item: `part` is the position of the recipient of an ask, else 0. */
export interface ItemKey {
  /** approval, message or invite. */
  kind: string;
  /** uuid */
  id: string;
  part: number;
}

/** An item that waits for a person. */
export interface ItemRow extends ItemKey {
  /** uuid of the recipient, or of the responsible person of an AI. */
  owner: string;
  /** uuid of the viewer who has it in the owner's place; null where the owner and their AIs see it. */
  holder: string | null;
  box: 'inbox' | 'requests' | 'front_door';
  label: string;
  since: Date;
  expires: Date | null;
  /** uuids of the sender, and of the person behind it. */
  senders: string[];
}

/** The owner and the holder of an item whose lists changed. */
export type Lists = Pick<ItemRow, 'owner' | 'holder'>;

export interface ItemsWrite {
  placed: readonly ItemRow[];
  closed: readonly ItemKey[];
  at: Date;
}

/**
 * Places and closes items in one statement. An item that is known already is not placed again, and one that was closed
 * stays so.
 *
 * @param write names each key once
 */
export async function writeItems(tx: Tx, { placed, closed, at }: ItemsWrite): Promise<Lists[]> {
  return await tx.query<Lists>({
    name: 'approvals_write_items',
    // One order everywhere, so that two statements with the same keys wait for each other and cannot deadlock.
    text: `
      with placed as (
        insert into approvals.items (kind, id, part, owner, holder, box, label, since, expires, senders)
        select kind, id, part, owner, holder, box, label, since, expires, senders
        from json_populate_recordset(null::approvals.items, $1::json) order by kind, id, part
        on conflict do nothing returning owner, holder),
      closed as (
        insert into approvals.items as i (kind, id, part, closed_at)
        select kind, id, part, $3 from json_populate_recordset(null::approvals.items, $2::json) order by kind, id, part
        on conflict (kind, id, part) do update set closed_at = $3 where i.closed_at is null
        returning owner, holder)
      select owner, holder from placed union select owner, holder from closed where owner is not null`,
    values: [
      JSON.stringify(placed),
      JSON.stringify(closed.map(({ kind, id, part }) => ({ kind, id, part }))),
      at,
    ],
  });
}

/** Forgets what was closed before that moment: at most `limit` items. */
export async function purgeClosed(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute({
    name: 'approvals_purge_items',
    text: `
      delete from approvals.items
      where (kind, id, part) in (
        select kind, id, part from approvals.items where closed_at < $1 order by closed_at limit $2)`,
    values: [before, limit],
  });
}
