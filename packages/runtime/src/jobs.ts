import { minute } from '@hearth/clock';
import { internal } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import { type Logger, spanOnceFound } from '@hearth/telemetry';
import type { DueTimer, NextDue } from './due-timer.ts';

export interface Jobs {
  /** Runs first within an interval after `start`, and within a minute: a home may restart every hour. */
  every(name: string, milliseconds: number, work: () => Promise<void>): void;
  /** Runs at most every `milliseconds`, and only when due. */
  whenDue(name: string, milliseconds: number, next: NextDue, work: () => Promise<void>): void;
  /** Starts the schedules. Before this no consumers may run, and what a job publishes would reach none. */
  start(): void;
  /** Runs a job outside its schedule, now or after the scheduled run in hand, and fails as it does. */
  run(name: string): Promise<void>;
  /** Starts no further run and waits for those in hand. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  log: Logger;
  random: Random;
  /** For work whose due time is in the database. */
  due: DueTimer;
}

/**
 * Scheduled work. A failing run is logged and retried at the next interval. First runs are spread at random: jobs that
 * start together stay together, and each time take as many connections to the database and keep messages waiting.
 */
export function createJobs({ log, random, due }: JobsOptions): Jobs {
  const known = new Map<string, () => Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** The scheduled runs in hand, by job. */
  const running = new Map<string, Promise<void>>();
  const schedules: (() => void)[] = [];
  let started = false;
  let stopped = false;

  async function runOnce(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await spanOnceFound(`job ${name}`, work);
    } catch (err) {
      log.warn({ job: name, err }, 'a job failed and will be tried again');
    }
  }

  return {
    every(name, milliseconds, work) {
      known.set(name, work);
      const spread = () => (Math.min(milliseconds, minute) * (random.bytes(1)[0]! + 1)) / 256;
      const schedule = (pause: number) => {
        if (stopped) return;
        const timer = setTimeout(() => {
          const run = runOnce(name, work).finally(() => {
            running.delete(name);
            schedule(milliseconds);
          });
          running.set(name, run);
        }, pause);
        timer.unref();
        timers.set(name, timer);
      };
      const begin = () => schedule(spread());
      if (started) begin();
      else schedules.push(begin);
    },
    whenDue(name, milliseconds, next, work) {
      known.set(name, work);
      due.add({
        ...{ name, next },
        paceMs: milliseconds,
        run() {
          const run = runOnce(name, work).finally(() => running.delete(name));
          running.set(name, run);
          return run;
        },
      });
    },
    start() {
      started = true;
      due.start();
      for (const schedule of schedules) schedule();
    },
    async run(name) {
      const work = known.get(name);
      if (work === undefined)
        throw internal(`there is no job "${name}", only ${[...known.keys()].join(', ')}`);
      await running.get(name);
      await work();
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all([due.stop(), ...running.values()]);
    },
  };
}
