import { type Db, sql, type Tx } from '@hearth/db';

export interface VouchRow {
  /** uuids */
  ai: string;
  person: string;
  note: string;
  /** Whether the AI's card leaves out the voucher. */
  private: boolean;
}

export async function findVouch(db: Db, ai: string, person: string): Promise<VouchRow | null> {
  return await db.maybeOne<VouchRow>(sql`
    select ai, person, note, private from identity.vouches where ai = ${ai} and person = ${person}`);
}

/** Addresses of an AI's public vouchers, earliest first. */
export async function listOpenVouchers(db: Db, ai: string): Promise<string[]> {
  const rows = await db.query<{ handle: string }>(sql`
    select p.handle from identity.vouches v join identity.people p on p.id = v.person
    where v.ai = ${ai} and not v.private and p.age_band = 'adult' and p.deleted_at is null
    order by v.at, v.person`);
  return rows.map(({ handle }) => `@${handle}`);
}

/** The number of AIs that a person vouches for. */
export async function countVouchesOf(db: Db, person: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) from identity.vouches where person = ${person}`,
  );
  return count;
}

/** The number of people who vouch for an AI. */
export async function countVouchesFor(db: Db, ai: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) from identity.vouches where ai = ${ai}`,
  );
  return count;
}

export async function upsertVouch(tx: Tx, vouch: VouchRow, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into identity.vouches (ai, person, note, private, at)
    values (${vouch.ai}, ${vouch.person}, ${vouch.note}, ${vouch.private}, ${now})
    on conflict (ai, person) do update set note = excluded.note, private = excluded.private`);
}

/** Deletes and returns a vouch; null if there was none. */
export async function deleteVouch(
  tx: Tx,
  ai: string,
  person: string,
): Promise<Pick<VouchRow, 'private'> | null> {
  return await tx.maybeOne(
    sql`delete from identity.vouches where ai = ${ai} and person = ${person} returning private`,
  );
}

export async function deleteVouchesFor(tx: Tx, ai: string): Promise<void> {
  await tx.execute(sql`delete from identity.vouches where ai = ${ai}`);
}

/** uuids of the AIs that a person vouches for. */
export async function listVouchesOf(db: Db, person: string): Promise<string[]> {
  const rows = await db.query<{ ai: string }>(
    sql`select ai from identity.vouches where person = ${person} order by ai`,
  );
  return rows.map(({ ai }) => ai);
}
