import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, hour } from '@hearth/clock';
import { anonymous } from '@hearth/rpc';
import type { Host, ReceivedEvent } from '@hearth/runtime';
import { deleteBeyond, deleteUnseen, endCopiesOf, unseat } from './copies-db.ts';
import { endActsOf } from './db.ts';
import type { ThingParts } from './home-things.ts';
import { forgetStatesOf } from './states-db.ts';

/** A copy that no one sees is kept so long: a rule that refused it goes for its later states, too. */
const unseenMs = 30 * day;
/** The newest of each kind are kept: so many of one home. */
const mostKept = 10_000;
const batch = 1_000;

type UpkeepDeps = Pick<ThingParts, 'clock' | 'commit' | 'database' | 'peers' | 'schema'>;

/** Ends what is of no one any more: seats of accounts that ended and of people who turn out to be under 18, copies that no one sees, and all with a home under whose name is another. */
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

/** uuids of the people who take part in no thing of another home any more. */
async function findGone(
  { peers }: UpkeepDeps,
  data: ReceivedEvent['event']['data'],
): Promise<readonly string[]> {
  if (data.case === 'accountDeleted') return data.value.deleted;
  if (data.case !== 'personChanged' || data.value.person?.minor !== true) return [];
  // Asked of identity, since the person may have turned 18 after the event.
  const ids = [data.value.person.id];
  const { results } = await peers.identity.findProfiles({ ids }, { caller: anonymous });
  return results[0]?.profile?.minor === false ? [] : ids;
}

/**
 * Another home is under that name: what is here of the one before never changes any more, and the new one is told of nothing that
 * was of interest to that one.
 *
 * @param at when it was: what came since is of the new one
 * @param comingBack kinds of which there can be none here without their home
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
