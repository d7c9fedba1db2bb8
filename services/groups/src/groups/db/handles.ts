import { sql, type Tx } from '@hearth/db';

/** Takes the handle for ever; false when a group has or had it. */
export async function takeHandle(tx: Tx, handle: string): Promise<boolean> {
  const taken = await tx.execute(
    sql`insert into groups.handles (handle) values (${handle}) on conflict (handle) do nothing`,
  );
  return taken === 1;
}

/** The next number to try behind a handle that is taken: 2, 3, and so on, each given out once. */
export async function nextNumber(tx: Tx, handle: string): Promise<number> {
  const { tried } = await tx.one<{ tried: number }>(
    sql`update groups.handles set tried = tried + 1 where handle = ${handle} returning tried`,
  );
  return tried;
}
