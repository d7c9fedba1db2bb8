import { type Db, named, type Tx } from '@hearth/db';

/** An act of another home, at its position in that home's log. */
export interface PlacedAct {
  epoch: number;
  seq: number;
  /** r:<home>:<id> */
  id: string;
  /** As signed, in JSON. */
  item: string;
}

/**
 * Stores acts as received. If two acts have the same number, the first stays: its home may have lost it, and
 * knows the second.
 */
export async function insertActs(
  tx: Tx,
  home: string,
  acts: readonly PlacedAct[],
  receivedAt: Date,
): Promise<void> {
  if (acts.length === 0) return;
  await tx.execute(named('federation_insert_acts')`
    insert into federation.received_acts (home, epoch, seq, id, item, received_at)
    select ${home}, epoch, seq, id, item, ${receivedAt}::timestamptz
    from unnest(${acts.map(({ epoch }) => epoch)}::bigint[], ${acts.map(({ seq }) => seq)}::bigint[],
      ${acts.map(({ id }) => id)}::text[], ${acts.map(({ item }) => item)}::text[]) as a (epoch, seq, id, item)
    on conflict (home, epoch, seq) do nothing`);
}

/** Returns a home's acts after a position in its log, in order. */
export async function listActs(
  db: Db,
  home: string,
  after: Pick<PlacedAct, 'epoch' | 'seq'>,
  limit: number,
): Promise<PlacedAct[]> {
  return await db.query<PlacedAct>(named('federation_list_acts')`
    select epoch, seq, id, item from federation.received_acts
    where home = ${home} and (epoch, seq) > (${after.epoch}::bigint, ${after.seq}::bigint)
    order by epoch, seq limit ${limit}`);
}

/** Deletes a home's acts. */
export async function forgetActs(tx: Tx, home: string): Promise<void> {
  await tx.execute(named('federation_forget_acts')`
    delete from federation.received_acts where home = ${home}`);
}

/** Deletes at most `limit` acts received before `before`. Returns how many. */
export async function purgeActs(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(named('federation_purge_acts')`
    delete from federation.received_acts where (home, epoch, seq) in (
      select home, epoch, seq from federation.received_acts where received_at < ${before} limit ${limit})`);
}
