import type { Tx } from '@hearth/db';

/** Takes the handle for ever; false when a group has or had it. */
export async function takeHandle(tx: Tx, handle: string): Promise<boolean> {
  const taken = await tx.execute({
    text: `insert into groups.handles (handle) values ($1) on conflict (handle) do nothing`,
    values: [handle],
  });
  return taken === 1;
}

/** The next number to try behind a handle that is taken: 2, 3, and so on, each given out once. */
export async function nextNumber(tx: Tx, handle: string): Promise<number> {
  const { tried } = await tx.one<{ tried: number }>({
    text: `update groups.handles set tried = tried + 1 where handle = $1 returning tried`,
    values: [handle],
  });
  return tried;
}
