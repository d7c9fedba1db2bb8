import { day, nowDate } from '@hearth/clock';
import type { Host } from '@hearth/runtime';
import { deleteStrayHomes, listDueHomes } from '../db/homes.ts';
import type { Policy } from '../domain/policy.ts';
import type { KnownHomes } from './known-homes.ts';

const mostAtOnce = 8;
const mostEach = 200;

/** Fetches documents that are a day old, so that no change of keys is missed, and forgets names that led nowhere. */
export async function fetchDueHomes({
  clock,
  database,
  known,
  unsaid,
}: Pick<Host, 'clock' | 'database'> & {
  known: Pick<KnownHomes, 'look'>;
  /** The policy of homes of which the operator said nothing. */
  unsaid: Policy;
}): Promise<void> {
  await database.transaction((tx) => deleteStrayHomes(tx, new Date(clock.now() - day)));
  const due = await listDueHomes(database.db, unsaid, nowDate(clock), mostEach);
  const next = due.values();
  const work = async () => {
    for (const home of next) await known.look(home, 'due', null);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
}
