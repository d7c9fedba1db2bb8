import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import { peopleAndCredentialsChanged } from '../../shared/actions/people.ts';
import { deleteGuardianshipsOver } from '../../shared/db/guardianships.ts';
import { listMinorsWithBirth, lockFreePeople, type PersonRow } from '../../shared/db/people.ts';
import { changePerson, type PersonChange } from '../actions/change-person.ts';
import type { PeopleContext } from '../context.ts';
import { listAiIdsOf } from '../db/person-ais.ts';

const batch = 500;

/**
 * Moves everybody under 18 who is of another band by now. Safe with many replicas: each takes those whom nobody else has
 * in hand, and looks again before it writes.
 *
 * @returns false when somebody was in other hands, so that it is to be done again
 */
export async function moveAgeBands(context: PeopleContext): Promise<boolean> {
  const { ages, database } = context;
  let all = true;
  let after: string | null = null;
  for (;;) {
    const minors: PersonRow[] = await listMinorsWithBirth(database.db, after, batch);
    const moving = minors.filter((person) => ages.bandOf(person) !== person.ageBand).map(({ id }) => id);
    if (moving.length > 0) all = (await moveAll(context, moving)) && all;
    const last = minors.at(-1);
    if (last === undefined || minors.length < batch) return all;
    after = last.id;
  }
}

async function moveAll(context: PeopleContext, ids: readonly string[]): Promise<boolean> {
  const { bus, database, outbox } = context;
  const { moved, rows, ais, locked } = await database.transaction(async (tx) => {
    const people = await lockFreePeople(tx, ids);
    const changes: OutboxRow[] = [];
    for (const person of people) changes.push(...(await move(context, tx, person)));
    const uuids = people.map(({ id }) => id);
    return { moved: uuids, rows: changes, ais: await listAiIdsOf(tx, uuids), locked: people.length };
  });
  outbox.committed(rows);
  if (rows.length > 0) peopleAndCredentialsChanged(bus, moved, ais);
  return locked === ids.length;
}

/** At 18 guardianships end, and with them what the guardian allowed. */
async function move(context: PeopleContext, tx: Tx, person: PersonRow): Promise<OutboxRow[]> {
  const ageBand = context.ages.bandOf(person);
  if (ageBand === person.ageBand) return [];
  const grownUp = ageBand === 'adult';
  if (grownUp) await deleteGuardianshipsOver(tx, person.id);
  const change: PersonChange = { ageBand, ...(grownUp && { guardians: [], aiShare: false }) };
  const changed = ['age_band', ...(grownUp ? endedAt18(person) : [])];
  return (await changePerson(context, tx, person, change, { changed, by: undefined })).rows;
}

function endedAt18({ guardians, aiShare }: PersonRow): string[] {
  return [...(guardians.length > 0 ? ['guardian'] : []), ...(aiShare ? ['ai_share'] : [])];
}

/** Does it once on each day of the home's calendar; on every hour until nobody was left out. */
export function nightlyAgeBands(context: PeopleContext): () => Promise<void> {
  let done = '';
  return async () => {
    const { year, month, day } = context.ages.today();
    const today = `${year}-${month}-${day}`;
    if (done === today) return;
    if (await moveAgeBands(context)) done = today;
  };
}
