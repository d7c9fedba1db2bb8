import type { Announcement } from '@hearth/outbox';
import type { SentItem } from '../db/sent-items.ts';
import { type ItemType, itemTypes } from './item-types.ts';

/** An item that the other home has, or that is undeliverable: then `why` says it. */
export interface SettledItem {
  item: Pick<SentItem, 'home' | 'service' | 'type' | 'id' | 'rev'>;
  why: string | null;
  /** Addresses that are no one there. */
  unknown?: readonly string[];
}

/** In one event, so that it stays small. */
const mostTogether = 100;

/** Tells the services that gave items what became of them: those of one service together. Those of none are told to no one. */
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
