import type { Db, Tx } from '@hearth/db';
import type { JsonObject } from '@hearth/signing';

/** A row of `home_acts`. */
export interface SentAct {
  /** uuid */
  id: string;
  /** The home of the thing. */
  home: string;
  /** r:<home>:<id> */
  object: string;
  operation: string;
  /** uuid of the person or AI that acts. */
  actor: string;
  /** SHA-256 over the operation and its request. */
  digest: Buffer;
  kept: JsonObject;
  /** The HTTP status of its result; null until it came. */
  status: number | null;
  /** JSON */
  error: string | null;
  answer: string | null;
}

const columns = 'id, home, object, operation, actor, digest, kept, status, error, answer';

export async function insertAct(tx: Tx, schema: string, act: SentAct, at: Date): Promise<void> {
  const { id, home, object, operation, actor, digest, kept } = act;
  await tx.execute({
    name: `${schema}_insert_home_act`,
    text: `
      insert into ${schema}.home_acts (id, home, object, operation, actor, digest, kept, created_at)
      values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)`,
    values: [id, home, object, operation, actor, digest, JSON.stringify(kept), at],
  });
}

export async function findAct(db: Db, schema: string, id: string): Promise<SentAct | null> {
  return await db.maybeOne<SentAct>({
    name: `${schema}_find_home_act`,
    text: `select ${columns} from ${schema}.home_acts where id = $1`,
    values: [id],
  });
}

/** Stores the first result of an act. @param result its home, or null whichever it is */
export async function settleAct(
  tx: Tx,
  schema: string,
  result: Pick<SentAct, 'id' | 'error' | 'answer'> & { home: string | null; status: number; at: Date },
): Promise<SentAct | null> {
  const { id, home, status, error, answer, at } = result;
  return await tx.maybeOne<SentAct>({
    name: `${schema}_settle_home_act`,
    text: `
      update ${schema}.home_acts set status = $3, error = $4, answer = $5, settled_at = $6
      where id = $1 and status is null and ($2::text is null or home = $2) returning ${columns}`,
    values: [id, home, status, error, answer, at],
  });
}

export async function purgeActs(tx: Tx, schema: string, before: Date): Promise<void> {
  await tx.execute({
    name: `${schema}_purge_home_acts`,
    text: `delete from ${schema}.home_acts where settled_at < $1`,
    values: [before],
  });
}
