import type { HomeItem } from '@hearth/proto/federation/v1/items';
import type { InTurn } from '../../messages/module.ts';

/**
 * Runs the work of items beside each other. From one party to one address they are written in their order, and what stands alone begins
 * after all before it, and is written before all behind it.
 */
export type Pairs = <T>(
  item: Pick<HomeItem, 'from' | 'to'>,
  alone: boolean,
  work: (inTurn: InTurn) => Promise<T>,
) => Promise<T>;

/** Neither fails. */
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

/** Tells of each item of a push, in order, whether it stands alone: it may lean on what those before it from the same party wrote. */
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
