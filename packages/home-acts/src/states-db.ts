import { type Db, named, raw, type Tx } from '@hearth/db';

/** A row of `home_states`: the last state of a local thing that other homes received. */
export interface StateRow {
  /** The rev of the last state. */
  rev: number;
  /** SHA-256 of the last state; null before the first. */
  digest: Buffer | null;
  /** The thing's id as callers know it; '' before the first state. */
  shown: string;
  /** The homes that have the thing, with the addresses there. */
  homes: Record<string, string[]>;
}

const tableOf = (schema: string) => raw(`${schema}.home_states`);

/** Returns the rev of the last state of a thing (uuid); 0 before the first. */
export async function findRev(db: Db, schema: string, kind: string, id: string): Promise<number> {
  const row = await db.maybeOne<{ rev: number }>(named(`${schema}_find_home_state_rev`)`
    select rev::float8 as rev from ${tableOf(schema)} where kind = ${kind} and thing = ${id}`);
  return row?.rev ?? 0;
}

/**
 * Removes a home from every thing whose last state was sent before `until`, because another home has taken over its
 * name. The rev doesn't tell when: it runs ahead of the clock if a thing changes more than once a second.
 */
export async function forgetStatesOf(tx: Tx, schema: string, home: string, until: Date): Promise<void> {
  await tx.execute(named(`${schema}_forget_home_states`)`
    update ${tableOf(schema)} set homes = homes - ${home}::text
    where homes ? ${home} and (sent_at is null or sent_at <= ${until})`);
}

/** Locks the state of a thing (uuid) until the end of the transaction. */
export async function lockState(tx: Tx, schema: string, kind: string, id: string): Promise<StateRow> {
  return await tx.one<StateRow>(named(`${schema}_lock_home_state`)`
    insert into ${tableOf(schema)} as mine (kind, thing) values (${kind}, ${id})
    on conflict (kind, thing) do update set rev = mine.rev
    returning rev::float8 as rev, digest, shown, homes`);
}

export async function writeState(
  tx: Tx,
  schema: string,
  { kind, id }: { kind: string; id: string },
  { rev, digest, shown, homes }: StateRow,
  at: Date,
): Promise<void> {
  await tx.execute(named(`${schema}_write_home_state`)`
    update ${tableOf(schema)} set rev = ${rev}, digest = ${digest}, shown = ${shown},
      homes = ${JSON.stringify(homes)}::jsonb, sent_at = ${at}
    where kind = ${kind} and thing = ${id}`);
}
