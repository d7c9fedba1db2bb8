import { type Db, named, raw, type Tx } from '@hearth/db';

/** A row of `home_states`: what other homes were told of a thing of this one. */
export interface StateRow {
  /** The number of the last state. */
  rev: number;
  /** SHA-256 of the last state; null before the first. */
  digest: Buffer | null;
  /** The homes that have it. */
  homes: string[];
}

const tableOf = (schema: string) => raw(`${schema}.home_states`);

/** Locks what was told of a thing (uuid), for as long as `tx` lasts. */
export async function lockState(tx: Tx, schema: string, kind: string, id: string): Promise<StateRow> {
  return await tx.one<StateRow>(named(`${schema}_lock_home_state`)`
    insert into ${tableOf(schema)} as mine (kind, thing) values (${kind}, ${id})
    on conflict (kind, thing) do update set rev = mine.rev
    returning rev::int as rev, digest, homes`);
}

export async function writeState(
  tx: Tx,
  schema: string,
  { kind, id }: { kind: string; id: string },
  { rev, digest, homes }: StateRow,
): Promise<void> {
  await tx.execute(named(`${schema}_write_home_state`)`
    update ${tableOf(schema)} set rev = ${rev}, digest = ${digest}, homes = ${homes}
    where kind = ${kind} and thing = ${id}`);
}

/** Whether other homes were told of it. @param id uuid */
export async function isTold(db: Db, schema: string, kind: string, id: string): Promise<boolean> {
  const row = await db.maybeOne(named(`${schema}_is_home_state`)`
    select true from ${tableOf(schema)} where kind = ${kind} and thing = ${id} and homes <> '{}'`);
  return row !== null;
}
