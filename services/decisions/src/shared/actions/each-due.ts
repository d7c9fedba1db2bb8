import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '@hearth/clock';
import { fragment, leaseRows, raw } from '@hearth/db';
import type { Host } from '@hearth/runtime';

/** The tables of things that time changes. */
type DueTable = 'decisions.agreements' | 'decisions.decisions' | 'decisions.offers' | 'decisions.plans';

/** Longer than all of a batch take, though apps are asked about quiet people. */
const leaseMs = 30 * second;
const batch = 200;
/** They go by one statement; with more at once, every other request would wait for the turn of the loop that they take. */
const atOnce = 25;
/** So much of the time that some took is the rest before the next: what waits goes first, and what follows of them is spread too. */
const restFactor = 0.5;
const longestMs = 100;

/** When a row of a table is due next. */
export const nextDueOf = (table: DueTable) => ({
  sql: fragment`select min(due_at) from ${raw(table)} where due_at is not null`,
});

/** Does what is due about each row of a table whose time has come: of many, a few at a time. */
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
    // The others are not held up by one that fails; it is tried again when its lease is over.
    const doOne = (id: string) =>
      advance(id).catch((err) => log.error({ err, table, id }, 'what is due could not be done'));
    const inHand: Promise<unknown>[] = [];
    for (let from = 0; from < due.length; from += atOnce) {
      const began = performance.now();
      const some = due.slice(from, from + atOnce).map(doOne);
      inHand.push(...some);
      // One that waits for the answer of an app does not hold up those behind it.
      await Promise.race([Promise.all(some), sleep(longestMs)]);
      if (due.length > atOnce) await sleep(Math.min(restFactor * (performance.now() - began), longestMs));
    }
    await Promise.all(inHand);
    if (due.length < batch) return;
  }
}
