import { type Db, named, type Tx } from '@hearth/db';
import type { Caller } from '@hearth/rpc';
import type { SeatedKind } from './seats.ts';

/** An app's items that a decision or plan led to. */
export interface Link {
  item_ref: string;
  list_ref: string | null;
}

/** The last write wins. @param item uuid */
export async function putLink(
  tx: Tx,
  app: string,
  kind: SeatedKind,
  item: string,
  { item_ref, list_ref }: Link,
): Promise<void> {
  await tx.execute(named('links_put')`
    insert into decisions.links (app, kind, item, item_ref, list_ref)
      values (${app}, ${kind}, ${item}, ${item_ref}, ${list_ref})
    on conflict (app, kind, item) do update set item_ref = excluded.item_ref, list_ref = excluded.list_ref`);
}

/** uuid of the local thing or the copy -> the caller's app's link; empty for a caller without an app. */
export async function findLinks(
  db: Db,
  kind: SeatedKind,
  items: readonly string[],
  { app }: Pick<Caller, 'app'>,
): Promise<Map<string, Link>> {
  if (app === '' || items.length === 0) return new Map();
  const rows = await db.query<Link & { item: string }>(named('links_find')`
    select item, item_ref, list_ref from decisions.links
    where app = ${app} and kind = ${kind} and item = any(${items}::uuid[])`);
  return new Map(rows.map(({ item, ...link }) => [item, link]));
}
