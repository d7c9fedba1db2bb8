/** Runs work for many callers, one run at a time. A request during a run causes one more run after it. */
export interface SingleFlight {
  /** Requests a run without waiting; failures go to `onError`. */
  poke(): void;
  /** Resolves after a run that began at or after this call; rejects if that run failed. */
  run(): Promise<void>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

export function singleFlight(work: () => Promise<void>, onError: (error: unknown) => void): SingleFlight {
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
    poke: () => void run().catch(onError),
    async idle() {
      while (running !== undefined || next !== undefined) await (next ?? running)?.catch(() => {});
    },
  };
}
