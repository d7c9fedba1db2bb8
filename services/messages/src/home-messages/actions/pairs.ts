import type { HomeItem } from '@hearth/proto/federation/v1/items';
import type { InTurn } from '../../messages/module.ts';

/**
 * Runs items concurrently, but writes those from one party to one address in order. An exclusive item waits
 * for all earlier items, and later items are written after it.
 */
export type Pairs = <T>(
  item: Pick<HomeItem, 'from' | 'to'>,
  alone: boolean,
  work: (inTurn: InTurn) => Promise<T>,
) => Promise<T>;

/** Neither promise rejects. */
interface Passing {
  written: Promise<unknown>;
  ended: Promise<unknown>;
}

const nothing = () => undefined;

export function createPairs(): Pairs {
  const last = new Map<string, Passing>();
  return (item, alone, work) => {
    const pairs = item.to.map((to) => `${item.from} ${to}`);
    const before = pairs.flatMap((pair) => last.get(pair) ?? []);
    const written = Promise.all(before.map((failure) => failure.written));
    const ended = Promise.all(before.map((failure) => failure.ended));
    const begun = Promise.withResolvers<void>();
    const mine = alone
      ? ended.then(() => work((write) => write()))
      : work(async (write) => {
          await written;
          const done = write();
          begun.resolve();
          return await done;
        });
    const over = mine.then(nothing, nothing);
    const passing = {
      written: Promise.all([written, Promise.race([begun.promise, over])]),
      ended: Promise.all([ended, over]),
    };
    for (const pair of pairs) last.set(pair, passing);
    return mine;
  };
}

/**
 * Returns a check, to be called for each item of a push in order: whether the item may depend on earlier ones
 * of the same party, and so must run exclusively.
 */
export function createLeaning(): (item: Pick<HomeItem, 'from' | 'to' | 'bodyJson'>) => boolean {
  const threads = new Set<string>();
  return ({ from, to, bodyJson }) => {
    const { thread, reply_to: replyTo } = JSON.parse(bodyJson);
    const place = `${from} ${thread}`;
    const known = threads.has(place);
    threads.add(place);
    return known || replyTo !== undefined || to.length > 1;
  };
}
