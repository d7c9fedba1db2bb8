import { createHash } from 'node:crypto';
import type { Database } from '@hearth/db';
import { runUntraced } from '@hearth/telemetry';
import type { DueWork } from './due-timer.ts';

/** Asks when each kind of work is due next, in one statement. */
export async function askDue(
  { db }: Pick<Database, 'db'>,
  works: readonly DueWork[],
): Promise<(number | null)[]> {
  const columns = works.map(
    ({ next }, index) => `(extract(epoch from ${momentOf(next)}) * 1000)::float8 as d${index}`,
  );
  if (columns.length === 0) return [];
  const text = `select ${columns.join(',\n')}`;
  const name = `due_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  const row = await runUntraced(() => db.one<Record<string, number | null>>({ name, text }));
  return works.map((_, index) => row[`d${index}`] ?? null);
}

function momentOf({ sql, by }: DueWork['next']): string {
  return by === 'database' ? `(${sql}) - clock_timestamp()` : `(${sql})::timestamptz`;
}
