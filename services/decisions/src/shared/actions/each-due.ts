import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '@hearth/clock';
import { fragment, leaseRows, raw } from '@hearth/db';
import type { Host } from '@hearth/runtime';

/** Tables whose rows change by time. */
type DueTable = 'decisions.agreements' | 'decisions.decisions' | 'decisions.offers' | 'decisions.plans';

/** Longer than a whole batch takes, including asking apps about quiet people. */
const leaseMs = 30 * second;
const batch = 200;
/** More at once would keep the event loop too busy for requests. */
const atOnce = 25;
/**
 * Rest between chunks, as a fraction of the time the last chunk took: lets waiting requests run and spreads
 * follow-up work.
 */
const restFactor = 0.5;
const longestMs = 100;

/** When the table's next row is due. */
export const nextDueOf = (table: DueTable) => ({
  sql: fragment`select min(due_at) from ${raw(table)} where due_at is not null`,
});

/** Advances each due row of a table, a few at a time. */
export async function eachDue(
  { clock, database, log }: Pick<Host, 'clock' | 'database' | 'log'>,
  table: DueTable,
  advance: (id: string) => Promise<unknown>,
): Promise<void> {
  const name = `${table.replace('.', '_')}_claim_due`;
  for (;;) {
    const now = new Date(clock.now());
    const lease = { now, until: new Date(now.getTime() + leaseMs), limit: batch };
    const where = fragment`due_at <= ${now}`;
    const due = await database.statement((tx) => leaseRows(tx, { name, table, where, by: 'due_at' }, lease));
    // A failure doesn't stop the others; the row is retried once its lease expires.
    const doOne = (id: string) =>
      advance(id).catch((err) => log.error({ err, table, id }, 'what is due could not be done'));
    const inHand: Promise<unknown>[] = [];
    for (let from = 0; from < due.length; from += atOnce) {
      const began = performance.now();
      const some = due.slice(from, from + atOnce).map(doOne);
      inHand.push(...some);
      // A row waiting for an app's answer doesn't hold up the next rows.
      await Promise.race([Promise.all(some), sleep(longestMs)]);
      if (due.length > atOnce) await sleep(Math.min(restFactor * (performance.now() - began), longestMs));
    }
    await Promise.all(inHand);
    if (due.length < batch) return;
  }
}
