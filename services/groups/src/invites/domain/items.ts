import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ItemsChange } from '@hearth/items';
import type { ItemRow } from '../db/items.ts';

export const keyOf = ({ id, part }: Pick<ItemRow, 'id' | 'part'>) => ({ kind: 'invite', id, part });

/** Opens or closes the item. Opening closes the previous part again, because it may have been passed on. */
export function changeOfItem(row: ItemRow): ItemsChange {
  if (!row.placed) return { closed: [keyOf(row)] };
  const before = { id: row.id, part: row.part - 1 };
  return { placed: [toItem(row)], closed: before.part > 0 ? [keyOf(before)] : [] };
}

export function toItem(row: ItemRow) {
  const { created_at, created_by, created_by_person, delivery, expires_at, holder, to_person } = row;
  return {
    key: keyOf(row),
    owner: to_person ?? '',
    holder: holder ?? '',
    box: holder !== null && delivery === 'front_door' ? 'front_door' : 'requests',
    label: 'other',
    since: timestampFromDate(created_at),
    expires: timestampFromDate(expires_at),
    senders: [...new Set([created_by, created_by_person])],
  };
}
