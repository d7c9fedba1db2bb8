/** Acquired resources that must be released, last in first out. */
export interface Releases {
  push(name: string, release: () => Promise<unknown> | unknown): void;
  /** Releases everything, even if one release fails; throws the first failure. May be called twice. */
  releaseAll(): Promise<void>;
}

export function createReleases(onFailure: (name: string, error: unknown) => void): Releases {
  const held: { name: string; release: () => Promise<unknown> | unknown }[] = [];
  return {
    push(name, release) {
      held.push({ name, release });
    },
    async releaseAll() {
      const failures: unknown[] = [];
      for (let next = held.pop(); next !== undefined; next = held.pop()) {
        try {
          await next.release();
        } catch (error) {
          onFailure(next.name, error);
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
