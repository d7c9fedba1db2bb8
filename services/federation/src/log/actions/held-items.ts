import type { JsonObject } from '@hearth/signing';
import { erasedHash } from './item.ts';
import type { ItemCode, Refused, WeighedItem } from './weigh-item.ts';

/** The highest number of another home's log that is settled here. */
export interface Position {
  epoch: number;
  seq: number;
}

export interface ItemAnswer {
  id: string;
  rev: number;
  status: 'ok' | 'dup' | 'rejected';
  code?: ItemCode;
  /** With `schema`: the wrong member, and its rule. */
  path?: string;
  rule?: string;
  /** Addresses of `to` that are unknown here, if others are known. */
  unknown?: string[];
}

/** The held items of a home: digests by id and rev. Each accepted item is added. */
export interface Held {
  digests: Map<string, Buffer>;
  /** The highest rev of each state. */
  revs: Map<string, number>;
  /** Hex of `erasedHash`. */
  erased: Set<string>;
}

/** Whether a push that begins at this number continues the settled items without a gap. */
export function follows(has: Position, epoch: number, first: number): boolean {
  if (epoch < has.epoch) return false;
  return epoch > has.epoch ? first === 1 : first <= has.seq + 1;
}

export function heldFrom(
  rows: readonly { id: string; rev: number; type: string; digest: Buffer }[],
  erased: Set<string>,
): Held {
  const revs = new Map<string, number>();
  for (const { id, rev, type } of rows) if (type === 'state') revs.set(id, Math.max(rev, revs.get(id) ?? 0));
  return { digests: new Map(rows.map(({ id, rev, digest }) => [`${id} ${rev}`, digest])), revs, erased };
}

function named({ id, rev }: JsonObject): { id: string; rev: number } {
  return {
    id: typeof id === 'string' ? id : '',
    rev: Number.isSafeInteger(rev) ? (rev as number) : 0,
  };
}

/** Whether the item arrived before, so that it need not be checked again. */
export function isHeld({ digests }: Held, item: JsonObject, digest: Buffer): boolean {
  const { id, rev } = named(item);
  return digests.get(`${id} ${rev}`)?.equals(digest) === true;
}

/** Returns the answer to an item from what is held; null for a new item, which is then recorded as held. */
export function answerByHeld(
  held: Held,
  { item, digest, weighed }: { item: JsonObject; digest: Buffer; weighed: WeighedItem | Refused | null },
): ItemAnswer | null {
  const { id, rev } = named(item);
  const place = `${id} ${rev}`;
  if (weighed === null) return { id, rev, status: 'dup' };
  if ('code' in weighed) return { id, rev, status: 'rejected', ...weighed };
  if (held.digests.has(place)) return { id, rev, status: 'rejected', code: 'conflict' };
  if (held.erased.has(erasedHash(id).toString('hex'))) return { id, rev, status: 'rejected', code: 'erased' };
  if (weighed.type === 'state' && rev <= (held.revs.get(id) ?? 0)) return { id, rev, status: 'dup' };
  held.digests.set(place, digest);
  if (weighed.type === 'state') held.revs.set(id, rev);
  if (weighed.type === 'erased') held.erased.add(erasedHash(weighed.about).toString('hex'));
  return null;
}
