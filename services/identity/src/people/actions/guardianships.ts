import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GuardianshipSchema } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { listGuardianshipsOver } from '../../shared/db/guardianships.ts';
import type { Context } from '../context.ts';

type Guardianship = MessageInitShape<typeof GuardianshipSchema>;

/** child's uuid -> the child's guardians as the caller may see them. */
export async function guardianshipsOver(
  { database, people }: Pick<Context, 'database' | 'people'>,
  children: readonly string[],
  caller: Caller,
): Promise<Map<string, Guardianship[]>> {
  const rows = children.length === 0 ? [] : await listGuardianshipsOver(database.db, children);
  const guardians = await Promise.all(rows.map(({ guardian }) => people.find(guardian)));
  const byChild = new Map<string, Guardianship[]>();
  for (const [index, { child, childEndedAt, guardianEndedAt }] of rows.entries()) {
    const facts = guardians[index];
    if (facts == null) continue;
    const shown = {
      guardian: people.show(facts, caller),
      childSaidEnd: childEndedAt !== null,
      guardianSaidEnd: guardianEndedAt !== null,
    };
    byChild.set(child, [...(byChild.get(child) ?? []), shown]);
  }
  return byChild;
}
