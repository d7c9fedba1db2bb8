import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Item, ItemsChange } from '@hearth/items';
import type { Announcement } from '@hearth/outbox';
import type { AgreementRow } from '../db/agreements.ts';
import type { AgreementParty } from './agreement.ts';

/** The item for a side's request list; `part` is the side's position. */
function itemOf({ id, started_at, sign_by, sides }: AgreementRow, part: number): Item {
  const side = sides[part] as AgreementParty;
  const { ai, person } = sides[0] as AgreementParty;
  return {
    key: { kind: 'agreement', id, part },
    owner: side.person ?? '',
    holder: side.holder ?? '',
    box: side.box,
    label: side.label,
    since: timestampFromDate(started_at),
    expires: timestampFromDate(sign_by),
    senders: [ai, ...(person === null ? [] : [person])],
  };
}

const partsOf = ({ sides }: AgreementRow) => sides.map((_, part) => part);

/** Whether the agreement waits in a request list of the side's owner. */
export const waitsInList = ({ status }: AgreementRow, { box, gone }: AgreementParty) =>
  status === 'open' && !gone && (box === 'requests' || box === 'front_door');

/** The current items of an agreement, or of only these parts. */
export function itemsOf(row: AgreementRow, parts: readonly number[] = partsOf(row)): ItemsChange {
  const waiting = (part: number) => waitsInList(row, row.sides[part] as AgreementParty);
  return {
    placed: parts.filter(waiting).map((part) => itemOf(row, part)),
    closed: parts.filter((part) => !waiting(part)).map((part) => ({ kind: 'agreement', id: row.id, part })),
  };
}

/** The items that a change placed, moved or closed. */
export function itemChanges(before: AgreementRow | null, after: AgreementRow): ItemsChange {
  const parts = partsOf(after);
  const was = (part: number) => before !== null && waitsInList(before, before.sides[part] as AgreementParty);
  const moved = parts.filter((part) => {
    const [one, other] = [before?.sides[part], after.sides[part] as AgreementParty];
    const waits = waitsInList(after, other);
    if (was(part) !== waits) return true;
    return waits && (one?.box !== other.box || one?.label !== other.label);
  });
  return itemsOf(after, moved);
}

/** The event for those changes; empty if no item changed. */
export function itemNews(before: AgreementRow | null, after: AgreementRow): Announcement[] {
  const { placed = [], closed = [] } = itemChanges(before, after);
  if (placed.length + closed.length === 0) return [];
  return [{ data: { case: 'itemsChanged', value: { placed, closed } } }];
}
