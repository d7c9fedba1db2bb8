import type { UnitOfWork } from '@hearth/outbox';
import { deleteGuardianshipsOver } from '../../shared/db/guardianships.ts';
import { listMinorsWithBirth, lockFreePeople, type PersonRow } from '../../shared/db/people.ts';
import { isUnreachable } from '../../shared/db/reachable.ts';
import { changePerson, type PersonChange } from '../actions/change-person.ts';
import type { Context } from '../context.ts';

const batch = 500;

/**
 * Moves minors who have reached the next age band. Safe with many replicas: rows locked elsewhere are
 * skipped, and each row is checked again before the write.
 *
 * @returns false if a locked row was skipped, so that the run has to be repeated
 */
export async function moveAgeBands(context: Context): Promise<boolean> {
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

async function moveAll(context: Context, ids: readonly string[]): Promise<boolean> {
  return await context.commit(async (tx) => {
    const people = await lockFreePeople(tx, ids);
    for (const person of people) await move(context, tx, person);
    return people.length === ids.length;
  });
}

/**
 * Ends guardianships at 18, along with what the guardian allowed. If no one can enter the account, they stay
 * for one purpose: the former guardian can give it a sign-in.
 */
async function move(context: Context, tx: UnitOfWork, person: PersonRow): Promise<void> {
  const ageBand = context.ages.bandOf(person);
  if (ageBand === person.ageBand) return;
  const grownUp = ageBand === 'adult';
  if (grownUp && !(await isUnreachable(tx, person.id))) await deleteGuardianshipsOver(tx, person.id);
  const change: PersonChange = { ageBand, ...(grownUp && { guardians: [], aiShare: false }) };
  const changed = ['age_band', ...(grownUp ? endedAt18(person) : [])];
  await changePerson(context, tx, person, change, { changed, by: undefined });
}

function endedAt18({ guardians, aiShare }: PersonRow): string[] {
  return [...(guardians.length > 0 ? ['guardian'] : []), ...(aiShare ? ['ai_share'] : [])];
}

/** Runs the job once a day by the home's calendar; hourly until a run skips no one. */
export function nightlyAgeBands(context: Context): () => Promise<void> {
  let done = '';
  return async () => {
    const { year, month, day } = context.ages.today();
    const today = `${year}-${month}-${day}`;
    if (done === today) return;
    if (await moveAgeBands(context)) done = today;
  };
}
