import type { HomeItem } from '@hearth/proto/federation/v1/items';

/** Runs the work of an item after that of those before it that are from the same party to one of the same addresses. */
export type Pairs = <T>(item: Pick<HomeItem, 'from' | 'to'>, work: () => Promise<T>) => Promise<T>;

export function createPairs(): Pairs {
  const last = new Map<string, Promise<unknown>>();
  return (item, work) => {
    const pairs = item.to.map((to) => `${item.from} ${to}`);
    const before = pairs.map((pair) => last.get(pair));
    const mine = Promise.allSettled(before).then(work);
    for (const pair of pairs) last.set(pair, mine);
    return mine;
  };
}
