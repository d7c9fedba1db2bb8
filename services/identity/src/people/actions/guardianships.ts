import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GuardianshipSchema } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { type GuardianshipRow, listGuardianshipsOver } from '../../shared/db/guardianships.ts';
import type { PeopleContext } from '../context.ts';

type Guardianship = MessageInitShape<typeof GuardianshipSchema>;

/** Who guards each of these children, by the child's uuid, as the caller may see them. */
export async function guardianshipsOver(
  { database, lookups }: Pick<PeopleContext, 'database' | 'lookups'>,
  children: readonly string[],
  caller: Caller,
): Promise<Map<string, Guardianship[]>> {
  const rows = children.length === 0 ? [] : await listGuardianshipsOver(database.db, children);
  const shown = await Promise.all(rows.map((row) => shownGuardianship(lookups, row, caller)));
  const byChild = new Map<string, Guardianship[]>();
  for (const [index, { child }] of rows.entries())
    byChild.set(child, [...(byChild.get(child) ?? []), ...shown[index]!]);
  return byChild;
}

async function shownGuardianship(
  lookups: PeopleContext['lookups'],
  { guardian, childEndedAt, guardianEndedAt }: GuardianshipRow,
  caller: Caller,
): Promise<Guardianship[]> {
  const facts = await lookups.find(guardian);
  if (facts === null) return [];
  return [
    {
      guardian: lookups.show(facts, caller),
      childSaidEnd: childEndedAt !== null,
      guardianSaidEnd: guardianEndedAt !== null,
    },
  ];
}
