import type { Logger } from '@hearth/telemetry';

/** Work that no caller waits for: its failures are logged, and a stop waits for it. */
export interface Background {
  run(what: string, work: () => Promise<void>): void;
  /** Resolves when all work has ended. */
  idle(): Promise<void>;
}

export function createBackground(log: Pick<Logger, 'warn'>): Background {
  const running = new Set<Promise<void>>();
  return {
    run(what, work) {
      const ended = work()
        .catch((err: unknown) => log.warn({ err, what }, 'left to the next run of its job'))
        .finally(() => running.delete(ended));
      running.add(ended);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
