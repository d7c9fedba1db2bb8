import { day, nowDate } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { deleteStrayHomes, forgetStrangers, listDueHomes } from '../db/homes.ts';
import type { Policy } from '../domain/policy.ts';
import type { KnownHomes } from './known-homes.ts';

/** A document takes about 20 KB. A stranger's is deleted a week after its last use, and at the latest after 30 days. */
const [unusedMs, strangersKeptMs] = [7 * day, 30 * day];
const mostAtOnce = 8;
const mostEach = 200;

/**
 * Refreshes documents that are a day old, so that no key change is missed, and deletes names without a home
 * and strangers.
 */
export async function fetchDueHomes({
  clock,
  database,
  known,
  unsaid,
}: Pick<Host, 'clock' | 'database'> & {
  known: Pick<KnownHomes, 'look'>;
  /** The policy for homes that the operator did not decide about. */
  unsaid: Policy;
}): Promise<void> {
  await database.transaction((tx) => deleteStrayHomes(tx, new Date(clock.now() - day)));
  const [unused, before] = [unusedMs, strangersKeptMs].map((ms) => new Date(clock.now() - ms));
  await database.transaction((tx) =>
    forgetStrangers(tx, { unused: unused!, before: before!, limit: mostEach * 10 }),
  );
  const due = await listDueHomes(database.db, unsaid, nowDate(clock), mostEach);
  const next = due.values();
  const work = async () => {
    for (const home of next) await known.look(home, 'due', null);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
}
