import { type Logger, span } from '@hearth/telemetry';

export interface Jobs {
  every(name: string, milliseconds: number, work: () => Promise<void>): void;
  /** Starts no further run and waits for those in hand. */
  stop(): Promise<void>;
}

/** Work over time. A failing run is logged and tried again at the next interval. */
export function createJobs(log: Logger): Jobs {
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  async function runOnce(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await span(`job ${name}`, {}, work);
    } catch (err) {
      log.warn({ job: name, err }, 'a job failed and will be tried again');
    }
  }

  return {
    every(name, milliseconds, work) {
      const schedule = () => {
        if (stopped) return;
        const timer = setTimeout(() => {
          const run = runOnce(name, work).finally(() => {
            running.delete(run);
            schedule();
          });
          running.add(run);
        }, milliseconds);
        timer.unref();
        timers.set(name, timer);
      };
      schedule();
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
