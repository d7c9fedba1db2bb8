/** Work that is asked for often and done by one run at a time; asked for during a run, it is done once more. */
export interface OneAtATime {
  /** Starts it; its failure is given to `failed`. */
  start(): void;
  /** Resolves when it was done after this moment; rejects when that failed. */
  run(): Promise<void>;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
}

export function oneAtATime(work: () => Promise<void>, failed: (error: unknown) => void): OneAtATime {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }

  function run(): Promise<void> {
    if (running === undefined) return begin();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  }

  return {
    run,
    start: () => void run().catch(failed),
    async idle() {
      while (running !== undefined || next !== undefined) await (next ?? running)?.catch(() => {});
    },
  };
}
