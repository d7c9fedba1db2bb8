/** Runs work of one key one after the other, in the order of the calls; work of different keys runs side by side. */
export interface KeyedMutex {
  /** Resolves or rejects as `work` does. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function keyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const mine = (tails.get(key) ?? Promise.resolve()).then(work, work);
      const tail = mine
        .catch(() => {})
        .finally(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return mine;
    },
  };
}
