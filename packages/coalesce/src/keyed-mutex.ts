/** Serializes work with the same key in call order; work with different keys runs concurrently. */
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
