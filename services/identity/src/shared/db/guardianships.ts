import { type Db, sql, type Tx } from '@hearth/db';

export interface GuardianshipRow {
  child: string;
  guardian: string;
  since: Date;
  childEndedAt: Date | null;
  guardianEndedAt: Date | null;
}

/** A child's guardianships, earliest first. */
export async function listGuardianships(db: Db, child: string): Promise<GuardianshipRow[]> {
  return await db.query<GuardianshipRow>(sql`
    select child, guardian, since, child_ended_at as "childEndedAt", guardian_ended_at as "guardianEndedAt"
    from identity.guardianships where child = ${child} order by since, guardian`);
}

/** The guardianships of several children, earliest first. */
export async function listGuardianshipsOver(db: Db, children: readonly string[]): Promise<GuardianshipRow[]> {
  return await db.query<GuardianshipRow>(sql`
    select child, guardian, since, child_ended_at as "childEndedAt", guardian_ended_at as "guardianEndedAt"
    from identity.guardianships where child = any(${children}) order by since, guardian`);
}

/** uuids of a guardian's wards. */
export async function listChildrenOf(db: Db, guardian: string): Promise<string[]> {
  const rows = await db.query<{ child: string }>(sql`
    select child from identity.guardianships where guardian = ${guardian} order by since, child`);
  return rows.map(({ child }) => child);
}

export async function insertGuardianship(tx: Tx, child: string, guardian: string, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into identity.guardianships (child, guardian, since) values (${child}, ${guardian}, ${now})
    on conflict do nothing`);
}

export async function deleteGuardianship(tx: Tx, child: string, guardian: string): Promise<void> {
  await tx.execute(sql`delete from identity.guardianships where child = ${child} and guardian = ${guardian}`);
}

/** All guardianships over a child. */
export async function deleteGuardianshipsOver(tx: Tx, child: string): Promise<void> {
  await tx.execute(sql`delete from identity.guardianships where child = ${child}`);
}

/** All guardianships of a guardian. */
export async function deleteGuardianshipsBy(tx: Tx, guardian: string): Promise<void> {
  await tx.execute(sql`delete from identity.guardianships where guardian = ${guardian}`);
}

export async function updateEnds(
  tx: Tx,
  { child, guardian, childEndedAt, guardianEndedAt }: GuardianshipRow,
): Promise<void> {
  await tx.execute(sql`
    update identity.guardianships
    set child_ended_at = ${childEndedAt}, guardian_ended_at = ${guardianEndedAt}
    where child = ${child} and guardian = ${guardian}`);
}
