/** Work that many ask for and one run at a time does; asked for during a run, it is done once more after it. */
export interface SingleFlight {
  /** Asks for a run without waiting; its failure goes to `onError`. */
  poke(): void;
  /** Resolves after a run that began at or after this call; rejects when that run failed. */
  run(): Promise<void>;
  /** Resolves when no run is in hand. */
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
