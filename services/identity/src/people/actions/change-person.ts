import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { type PersonColumns, type PersonRow, updatePersonRow } from '../../shared/db/people.ts';
import type { PeopleContext } from '../context.ts';
import { listAppsOf } from '../db/person-apps.ts';
import { personChanged } from '../domain/events.ts';

/** What becomes of a person: those columns that change, and who guards them if that does. */
export type PersonChange = Partial<Omit<PersonColumns, 'seq'>> & { guardians?: string[] };

export interface ChangedPerson {
  row: PersonRow;
  facts: PersonFacts;
  rows: OutboxRow[];
}

/**
 * Writes a change of a person (locked by `tx`) with its announcement. Guardianships themselves are written by the
 * caller.
 *
 * @param changed words of the event: name, handle, age_band, guardian, ai_share, app, guest or time_zone
 */
export async function changePerson(
  { lookups, outbox }: Pick<PeopleContext, 'lookups' | 'outbox'>,
  tx: Tx,
  before: PersonRow,
  change: PersonChange,
  { changed, by }: { changed: string[]; by: Caller | undefined },
): Promise<ChangedPerson> {
  const row: PersonRow = { ...before, ...change, seq: before.seq + 1 };
  await updatePersonRow(tx, before.id, row);
  const facts = lookups.toFacts(row);
  const apps = await appsConcerned(tx, before, row);
  const rows = [personChanged(outbox, facts, { changed, apps, seq: row.seq }, by)];
  await outbox.announce(tx, rows);
  return { row, facts, rows };
}

/** uuids of the apps that hear of it: those that hold the person and their guardians, before and after. */
export async function appsConcerned(tx: Tx, ...states: readonly PersonRow[]): Promise<string[]> {
  const guardians = await listAppsOf(tx, [...new Set(states.flatMap((state) => state.guardians))]);
  const own = states.flatMap(({ app }) => (app === null ? [] : [app]));
  return [...new Set([...own, ...guardians])];
}
