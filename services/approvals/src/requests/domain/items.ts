import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Item, ItemsChanged } from '@hearth/proto/events/v1/events';
import type { ItemKey, ItemRow } from '../db/items.ts';

/** Woken when the requests of a person or AI (uuid) change. */
export function requestsTopic(viewer: string): string {
  return `requests:${viewer}`;
}

/** The rows of several changes, each item once; closed wins over placed. */
export function rowsOf(changes: readonly Pick<ItemsChanged, 'placed' | 'closed'>[]): {
  placed: ItemRow[];
  closed: ItemKey[];
} {
  const closed = new Map(
    changes.flatMap((change) => change.closed.map(keyOf)).map((key) => [textOf(key), key]),
  );
  const placed = new Map(
    changes
      .flatMap((change) => change.placed.flatMap(toRow))
      .flatMap((row) => (closed.has(textOf(row)) ? [] : [[textOf(row), row]])),
  );
  return { placed: [...placed.values()], closed: [...closed.values()] };
}

export const textOf = ({ kind, id, part }: ItemKey) => `${kind} ${id} ${part}`;

export const keyOf = ({ kind, id, part }: ItemKey): ItemKey => ({ kind, id, part });

function toRow({ key, owner, holder, box, label, since, expires, senders, ai }: Item): ItemRow[] {
  if (key === undefined || since === undefined) return [];
  return [
    {
      ...keyOf(key),
      owner,
      holder: holder || null,
      box: box as ItemRow['box'],
      label,
      since: timestampDate(since),
      expires: expires === undefined ? null : timestampDate(expires),
      senders,
      subject: ai || null,
    },
  ];
}
