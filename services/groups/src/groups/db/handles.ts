import { sql, type Tx } from '@hearth/db';

/** Takes the handle for good; false if any group has or ever had it. */
export async function takeHandle(tx: Tx, handle: string): Promise<boolean> {
  const taken = await tx.execute(
    sql`insert into groups.handles (handle) values (${handle}) on conflict (handle) do nothing`,
  );
  return taken === 1;
}

/** The next number to append to a taken handle: 2, 3, and so on, each given out once. */
export async function nextNumber(tx: Tx, handle: string): Promise<number> {
  const { tried } = await tx.one<{ tried: number }>(
    sql`update groups.handles set tried = tried + 1 where handle = ${handle} returning tried`,
  );
  return tried;
}
