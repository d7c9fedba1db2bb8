import type { Announcement } from '@hearth/outbox';
import type { SentItem } from '../db/sent-items.ts';
import { type ItemType, itemTypes } from './item-types.ts';

/** An item that the other home accepted, or that is undeliverable, with the reason in `why`. */
export interface SettledItem {
  item: Pick<SentItem, 'home' | 'service' | 'type' | 'id' | 'rev'>;
  why: string | null;
  /** Addresses that the other home does not know. */
  unknown?: readonly string[];
}

/** Items in one event, so that it stays small. */
const mostTogether = 100;

/**
 * Reports outcomes to the services that queued the items, each service's together; the log's own items are
 * not reported.
 */
export function settled(all: readonly SettledItem[]): Announcement[] {
  const told = all.filter(({ item: { service, type } }) => service !== '' && type !== 'skip');
  return [...Map.groupBy(told, ({ item }) => item.service).values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / mostTogether) }, (_, at) => {
      const [first, ...others] = same.slice(at * mostTogether, (at + 1) * mostTogether).map(toEvent);
      return { data: { case: 'homeItemSettled' as const, value: { ...first!, others } } };
    }),
  );
}

function toEvent({ item: { home, service, type, id, rev }, why, unknown = [] }: SettledItem) {
  return {
    ...{ service, type: itemTypes[type as Exclude<ItemType, 'skip'>], id, rev: BigInt(rev), home },
    ...{ delivered: why === null, why: why ?? '', unknown: [...unknown] },
  };
}
