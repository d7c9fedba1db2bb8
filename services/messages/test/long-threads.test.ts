import { randomUUID } from 'node:crypto';
import { type Db, sql, type Tx } from '@hearth/db';
import { parseId } from '@hearth/ids';
import { eventually, pagesOf } from '@hearth/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ListFilter, listReceived, listSent, seqAt } from '../src/messages/db/messages.ts';
import { endReading, keepReading } from '../src/messages/db/reading.ts';
import { findThread, listThreads } from '../src/messages/db/threads.ts';
import { startMessages } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());

const short = { owner: randomUUID(), thread: randomUUID() };
const long = { owner: randomUUID(), thread: randomUUID() };

type Mixed = typeof few;
const few = { owner: randomUUID(), thread: randomUUID(), rare: randomUUID() };
const many = { owner: randomUUID(), thread: randomUUID(), rare: randomUUID() };

beforeAll(async () => {
  await home.database.transaction(async (tx) => {
    // On a slow machine, a single insert takes longer than the usual statement timeout.
    await tx.execute(sql`set local statement_timeout = 0`);
    await fill(tx, short, 1_000);
    await fill(tx, long, 30_000);
    await fillMixed(tx, few, 1_000);
    await fillMixed(tx, many, 30_000);
    await tx.execute(sql`analyze messages.messages`);
  });
});

/** A fully read thread, in a mailbox with as many unread messages of another thread. */
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

/**
 * The oldest messages of a mailbox are the rare ones; the others are in one thread: read, sent and, for the newest
 * half, deleted.
 */
async function fillMixed(tx: Tx, { owner, thread, rare }: Mixed, length: number): Promise<void> {
  const other = randomUUID();
  await tx.execute(sql`
    insert into messages.messages (id, thread, sender, recipient, sender_seq, recipient_seq, thread_seq,
      sender_address, sender_name, sender_status, recipient_address, body, request_kind, via, box, at, read_at,
      recipient_deleted_at)
    select gen_random_uuid(), case when n <= 8 then ${rare}::uuid else ${thread}::uuid end,
      case when sent then ${owner}::uuid else ${other}::uuid end, case when sent then ${other}::uuid else ${owner}::uuid end,
      n, n, n, case when n <= 8 then '@rare' else '@other' end, 'Other', 1, '@owner', 'hello', 1, 1,
      case when n <= 4 then 2 else 1 end, timestamptz '2026-01-01' + n * interval '1 second', now(),
      case when not sent and n > 8 and n > ${length}::int / 2 then now() end
    from (select n, n > 8 and n % 3 = 0 as sent from generate_series(1, ${length}::int) n) n`);
  await tx.execute(sql`
    insert into messages.mailboxes (owner, last_seq, unread) values (${owner}, ${length}, 0)`);
}

/** Adds that many unread messages to a thread. */
async function fillUnread(sender: string, reader: string, thread: string, count: number): Promise<void> {
  const order = sender < reader ? 'sender' : 'recipient';
  await home.database.transaction(async (tx) => {
    await tx.execute({
      text: `
        insert into messages.messages (id, thread, sender, recipient, sender_seq, recipient_seq, thread_seq,
          sender_address, sender_name, sender_status, recipient_address, body, request_kind, via, box, at)
        select gen_random_uuid(), m.thread, m.sender, m.recipient, m.sender_seq + n, m.recipient_seq + n, m.${order}_seq + n,
          m.sender_address, m.sender_name, m.sender_status, m.recipient_address, 'hello', 1, 1, m.box, m.at
        from messages.messages m, generate_series(1, $2::int) n where m.thread = $1`,
      values: [thread, count],
    });
    await tx.execute({
      text: `
        update messages.mailboxes set last_seq = last_seq + $3, unread = unread + case when owner = $2 then $3 else 0 end
        where owner in ($1, $2)`,
      values: [sender, reader, count],
    });
  });
}

const pages = (read: (db: Db) => Promise<unknown>) => pagesOf(home.database, read);

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
])('%s costs the same, however long a thread that was read', async (_, read) => {
  const few = await pages(read(short));
  expect(await pages(read(long))).toBeLessThanOrEqual(2 * few);
});

const all: ListFilter = {
  ...{ unreadOnly: false, boxes: [1, 2], thread: null, from: null, after: null, before: null },
  ...{ oldestFirst: false, limit: 20 },
};
const listed =
  (filter: (mailbox: Mixed) => Partial<ListFilter>, list = listReceived) =>
  (mailbox: Mixed) =>
  (db: Db) =>
    list(db, mailbox.owner, { ...all, ...filter(mailbox) });

test.each([
  ['the list of a mailbox whose newest messages are deleted', listed(() => ({}))],
  ['the list of requests', listed(() => ({ boxes: [2] }))],
  ['the list of unread requests', listed(() => ({ boxes: [2], unreadOnly: true }))],
  ['the list of requests, oldest first', listed(() => ({ boxes: [2], oldestFirst: true }))],
  ['the list of a thread', listed(({ rare }) => ({ thread: rare }))],
  ['the list of unread messages of a thread', listed(({ thread }) => ({ thread, unreadOnly: true }))],
  ['the list of messages from one address', listed(() => ({ from: '@rare' }))],
  ['the list of unread messages from one address', listed(() => ({ from: '@other', unreadOnly: true }))],
  ['the list of sent messages', listed(() => ({}), listSent)],
  ['the list of messages sent to a thread', listed(({ rare }) => ({ thread: rare }), listSent)],
  [
    'a search from an old time',
    ({ owner }: Mixed) =>
      (db: Db) =>
        seqAt(db, owner, new Date('2026-01-01T00:00:05Z')),
  ],
  [
    'a search from before the first message',
    ({ owner }: Mixed) =>
      (db: Db) =>
        seqAt(db, owner, new Date('2025-01-01T00:00:05Z')),
  ],
])('%s costs the same, however long a mailbox is', async (_, read) => {
  const least = await pages(read(few));
  // A descent through an index of 30,000 reads one more page.
  expect(await pages(read(many))).toBeLessThanOrEqual(2 * least + 4);
});

test('a thread is marked as read in steps, each of which takes the same time in any thread', async () => {
  const { newAi, asAi } = home.world;
  const [sender, reader] = [asAi(newAi()), asAi(newAi())];
  const sent = await home.by(sender).sendMessage({ to: reader.address, text: 'hello' });
  await fillUnread(sender.id, reader.id, parseId('thr', sent.thread)!, 2_500);
  const listed = await home.by(reader).listMessages({ limit: 1 });
  expect(listed.unread).toBe(1_000);
  const upTo = listed.messages[0]!.id;
  const marked = await home.by(reader).markRead({ thread: sent.thread, upTo });
  expect(marked).toMatchObject({ read: 1_000, pending: true });
  // A message that arrives meanwhile stays unread.
  await home.by(sender).sendMessage({ to: reader.address, thread: sent.thread, text: 'and now' });
  await eventually(
    async () => (await home.by(reader).listMessages({ unread: true })).unread,
    (unread) => unread === 1,
  );
  const again = await home.by(reader).markRead({ thread: sent.thread, upTo });
  expect([again.read, again.pending]).toEqual([0, undefined]);
  expect(await furthest(home.database.db, { owner: reader.id })).toEqual([]);
});

const furthest = async (db: Db | Tx, { owner }: { owner: string }) => {
  const rows = await db.query<{ to: number }>(
    sql`select up_to::int as to from messages.reading where owner = ${owner}`,
  );
  return rows.map(({ to }) => to);
};

test('a pending mark as read extends to the furthest message, and ends with it', async () => {
  const reading = { owner: randomUUID(), thread: randomUUID(), read_at: new Date(home.clock.now()) };
  await home.database.transaction(async (tx) => {
    for (const [upTo, left] of [
      [10, 10],
      [5, 10],
      [20, 20],
    ] as const) {
      await keepReading(tx, { ...reading, up_to: upTo });
      expect(await furthest(tx, reading)).toEqual([left]);
    }
    await endReading(tx, { ...reading, up_to: 19 });
    expect(await furthest(tx, reading)).toEqual([20]);
    await endReading(tx, { ...reading, up_to: 20 });
    expect(await furthest(tx, reading)).toEqual([]);
  });
});
