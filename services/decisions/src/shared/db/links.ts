import { type Db, named, type Tx } from '@hearth/db';
import type { SeatedKind } from './seats.ts';

/** The items of an app that a decision or a plan led to. */
export interface Link {
  item_ref: string;
  list_ref: string | null;
}

/** The last one wins. @param item uuid */
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

/** uuid of the item -> the app's link. */
export async function findLinks(
  db: Db,
  app: string,
  kind: SeatedKind,
  items: readonly string[],
): Promise<Map<string, Link>> {
  const rows = await db.query<Link & { item: string }>(named('links_find')`
    select item, item_ref, list_ref from decisions.links
    where app = ${app} and kind = ${kind} and item = any(${items}::uuid[])`);
  return new Map(rows.map(({ item, ...link }) => [item, link]));
}
