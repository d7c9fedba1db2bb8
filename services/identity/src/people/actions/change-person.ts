import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../../shared/actions/parts.ts';
import { listChildrenOf } from '../../shared/db/guardianships.ts';
import { endKeysMadeBy } from '../../shared/db/keys.ts';
import { type PersonColumns, type PersonRow, updatePersonRow } from '../../shared/db/people.ts';
import { listAiIdsOf } from '../db/person-ais.ts';
import { listAppsOf } from '../db/person-apps.ts';
import { type PersonChangeNews, personChanged } from '../domain/events.ts';

/** The changed columns of a person, and the guardians if they changed. */
export type PersonChange = Partial<PersonColumns> & { guardians?: string[] };

/**
 * Writes a change of a person (locked by `tx`), announces it, and signals every process to drop cached facts
 * and credentials of the person and their AIs. The caller writes guardianships.
 *
 * @param told `changed` has names from the event: name, handle, age_band, guardian, ai_share, app, guest,
 * time_zone, language, suspended or restored
 */
export async function changePerson(
  { clock, people }: Pick<IdentityParts, 'people'> & Pick<Host, 'clock'>,
  tx: UnitOfWork,
  before: PersonRow,
  change: PersonChange,
  { by, ...told }: PersonChangeNews & { by: Caller | undefined },
): Promise<PersonFacts> {
  const row: PersonRow = { ...before, ...change };
  await updatePersonRow(tx, before.id, row);
  const facts = people.toFacts(row);
  const apps = await appsConcerned(tx, before, row);
  const wards = 'suspendedUntil' in change ? await listChildrenOf(tx, before.id) : [];
  tx.announce(personChanged(facts, { ...told, apps, wards }, by));
  tx.signal('people', row.id);
  const ais = await listAiIdsOf(tx, [row.id]);
  // An app that no longer holds the person, and a former guardian, lose their keys to the person's AIs too.
  const gone = [
    ...(before.app !== null && row.app !== before.app ? [before.app] : []),
    ...before.guardians.filter((guardian) => !row.guardians.includes(guardian)),
  ];
  if (gone.length > 0 && ais.length > 0) await endKeysMadeBy(tx, ais, gone, nowDate(clock));
  tx.signal('credentials', row.id, ...ais);
  return facts;
}

/** uuids of the apps to notify: those that hold the person and their guardians, before and after. */
export async function appsConcerned(tx: Tx, ...states: readonly PersonRow[]): Promise<string[]> {
  const guardians = await listAppsOf(tx, [...new Set(states.flatMap((state) => state.guardians))]);
  const own = states.flatMap(({ app }) => (app === null ? [] : [app]));
  return [...new Set([...own, ...guardians])];
}
