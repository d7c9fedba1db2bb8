import { metering } from '@hearth/telemetry';
import type { Context } from '../context.ts';
import { listNamedLogs } from '../db/named-homes.ts';
import { recordHomeLog, recordItems } from './metrics.ts';

/** Metrics of homes: by name for homes that the operator decided about, combined for all others. */
export interface NamedHomes {
  /** Counts settled items of a home, by status. */
  settled(home: string, direction: 'sent' | 'received', statuses: readonly string[]): void;
  /** Re-reads which homes are named, and records the state of the logs. */
  look(): Promise<void>;
}

/** The most names in metrics: each series costs memory in the monitoring system. */
const mostNamed = 100;
const others = 'other';

export function createNamedHomes({ clock, database }: Pick<Context, 'clock' | 'database'>): NamedHomes {
  let named = new Set<string>();
  return {
    settled(home, direction, statuses) {
      if (!metering.enabled) return;
      for (const [status, same] of Map.groupBy(statuses, (status) => status))
        recordItems({ home: named.has(home) ? home : others, direction, status, count: same.length });
    },
    async look() {
      if (!metering.enabled) return;
      const now = clock.now();
      const logs = await listNamedLogs(database.db, mostNamed);
      const before = named;
      named = new Set(logs.flatMap(({ home }) => home ?? []));
      for (const { home, unsent, failingSince } of logs) {
        const failingSeconds =
          failingSince === null ? 0 : Math.max(0, (now - failingSince.getTime()) / 1_000);
        recordHomeLog({ home: home ?? others, unsent, failingSeconds });
      }
      for (const home of before) if (!named.has(home)) recordHomeLog({ home, unsent: 0, failingSeconds: 0 });
    },
  };
}
