import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, hour } from '@hearth/clock';
import { anonymous } from '@hearth/rpc';
import type { Host, ReceivedEvent } from '@hearth/runtime';
import { deleteBeyond, deleteUnseen, endCopiesOf, unseat } from './copies-db.ts';
import { endActsOf } from './db.ts';
import type { ThingParts } from './home-things.ts';
import { forgetStatesOf } from './states-db.ts';

/** How long a copy without seats is kept: if a rule refused it, the refusal covers its later states, too. */
const unseenMs = 30 * day;
/** The most copies of each home and kind; the newest are kept. */
const mostKept = 10_000;
const batch = 1_000;

type UpkeepDeps = Pick<ThingParts, 'clock' | 'commit' | 'database' | 'peers' | 'schema'>;

/**
 * Removes what no longer has an owner: seats of deleted accounts and of people who turn out to be under 18,
 * copies without seats, and everything with a home whose name another home took over.
 */
export function keepUp(
  { consume, every }: Pick<Host, 'consume' | 'every'>,
  parts: UpkeepDeps,
  comingBack: () => readonly string[],
): void {
  const { clock, database, schema } = parts;
  every('purge-home-copies', hour, async () => {
    const before = new Date(clock.now() - unseenMs);
    while ((await database.statement((tx) => deleteUnseen(tx, schema, before, batch))) === batch);
    while ((await database.statement((tx) => deleteBeyond(tx, schema, mostKept, batch))) === batch);
  });
  consume({
    durable: 'home-copies',
    types: ['account_deleted', 'other_home_changed', 'person_changed'],
    async handle(events: readonly ReceivedEvent[]): Promise<void> {
      for (const { event } of events) {
        const { data } = event;
        const gone = await findGone(parts, data);
        if (gone.length > 0) await database.statement((tx) => unseat(tx, schema, gone));
        if (data.case === 'otherHomeChanged' && data.value.change === 'began_anew')
          await beganAnew(parts, data.value.home, timestampDate(event.at!), comingBack());
      }
    },
  });
}

/** Returns the uuids of people who no longer take part in remote things. */
async function findGone(
  { peers }: UpkeepDeps,
  data: ReceivedEvent['event']['data'],
): Promise<readonly string[]> {
  if (data.case === 'accountDeleted') return data.value.deleted;
  if (data.case !== 'personChanged' || data.value.person?.minor !== true) return [];
  // Asks identity, because the person may have turned 18 since the event.
  const ids = [data.value.person.id];
  const { results } = await peers.identity.findProfiles({ ids }, { caller: anonymous });
  return results[0]?.profile?.minor === false ? [] : ids;
}

/**
 * Handles another home taking over a name: copies from the former home become final, and the new home
 * receives nothing about earlier things.
 *
 * @param at when it happened: later items are the new home's
 * @param comingBack kinds of which there are no copies without their home
 */
export async function beganAnew(
  { clock, commit, schema }: Omit<UpkeepDeps, 'peers'>,
  home: string,
  at: Date,
  comingBack: readonly string[],
): Promise<void> {
  await commit(async (tx) => {
    await forgetStatesOf(tx, schema, home, at);
    await endCopiesOf(tx, schema, home, comingBack, at);
    await endActsOf(tx, schema, home, at, new Date(clock.now()));
  });
}
