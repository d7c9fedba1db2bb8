import { randomUUID } from 'node:crypto';
import { type Db, type Statement, sql, type Tx } from '@hearth/db';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findThread, listThreads } from '../src/messages/db/threads.ts';
import { startMessages } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());

const short = { owner: randomUUID(), thread: randomUUID() };
const long = { owner: randomUUID(), thread: randomUUID() };

beforeAll(async () => {
  await home.database.transaction(async (tx) => {
    await fill(tx, short, 1_000);
    await fill(tx, long, 30_000);
    await tx.execute(sql`analyze messages.messages`);
  });
});

/** A thread in which all is read, in a mailbox with as many unread messages of another thread. */
async function fill(tx: Tx, { owner, thread }: typeof long, length: number): Promise<void> {
  const other = randomUUID();
  await tx.execute(sql`
    insert into messages.messages (id, thread, sender, recipient, sender_seq, recipient_seq, thread_seq,
      sender_address, sender_name, sender_status, recipient_address, body, request_kind, via, box, at, read_at)
    select gen_random_uuid(), case when n % 2 = 0 then ${thread}::uuid else ${randomUUID()}::uuid end, ${other}, ${owner},
      n, n, n, '@other', 'Other', 1, '@owner', 'hello', 1, 1, 1, now(), case when n % 2 = 0 then now() end
    from generate_series(1, ${length}::int) n`);
  await tx.execute(sql`
    insert into messages.threads (owner, id, other, other_address, last_seq, last_at, box)
    values (${owner}, ${thread}, ${other}, '@other', ${length}, now(), 1)`);
}

/** How many pages a read of the service takes. */
async function pagesOf(read: (db: Db) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const explained = async ({ text, values }: Statement) => {
    const statement = { text: `explain (analyze, buffers, format json) ${text}`, values };
    const [row] = await home.database.db.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      statement,
    );
    const plan = row!['QUERY PLAN'][0]!.Plan;
    pages += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
    return [];
  };
  await read({ query: explained, maybeOne: explained } as unknown as Db);
  return pages;
}

test.each([
  [
    'a thread',
    ({ owner, thread }: typeof long) =>
      (db: Db) =>
        findThread(db, owner, thread),
  ],
  [
    'the list of threads',
    ({ owner }: typeof long) =>
      (db: Db) =>
        listThreads(db, owner, null, 20),
  ],
])('%s costs the same, however long a thread is that was read', async (_, read) => {
  const few = await pagesOf(read(short));
  expect(await pagesOf(read(long))).toBeLessThanOrEqual(2 * few);
});
