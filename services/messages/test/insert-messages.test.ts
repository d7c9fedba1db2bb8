import { randomUUID } from 'node:crypto';
import type { Tx } from '@hearth/db';
import { afterAll, expect, test } from '@jest/globals';
import { insertMessages, type NewMessage, newRow } from '../src/shared/db/insert-messages.ts';
import { startMessages } from './start-messages.ts';

const home = await startMessages();

afterAll(() => home.stop());

const [sender, recipient, holder] = [randomUUID(), randomUUID(), randomUUID()] as [string, string, string];
const eventOf = (type: string) => ({
  id: randomUUID(),
  type,
  event: Buffer.from(type),
  thing: null,
  topics: [],
});

function messageOf(
  from: string,
  to: string,
  row: Partial<NewMessage['row']>,
  more: Partial<NewMessage>,
): NewMessage {
  return {
    row: {
      ...newRow({
        id: randomUUID(),
        thread: randomUUID(),
        sender: from,
        recipient: to,
        sender_address: '@free_robin_1',
        sender_name: 'Robin',
        sender_status: 1,
        recipient_address: '@free_wren_1',
        body: 'hello',
        request_kind: 1,
        via: 2,
        box: 1,
        at: new Date(1_700_000_000_000),
      }),
      ...row,
    },
    event: eventOf('message_sent'),
    acquaints: true,
    ...more,
  };
}

/** The answer for the first message and everything stored with it; rolled back. */
async function writtenOf(messages: NewMessage[], before: NewMessage[]): Promise<unknown> {
  const { row, event, item } = messages[0]!;
  const parties = [row.sender, row.recipient];
  let found: unknown;
  const look = async (tx: Tx) => {
    for (const message of before) await insertMessages(tx, [message]);
    const answer = (await insertMessages(tx, messages)).get(row.id);
    const tables: [string, unknown][] = [
      ['select * from messages.messages m where m.id = $1', row.id],
      ['select * from messages.mailboxes m where m.owner = any($1) order by owner', parties],
      ['select * from messages.threads m where m.id = $1 order by owner', row.thread],
      ['select * from messages.contacts m where m.owner = any($1) order by owner', parties],
      ['select * from messages.requests m where m.caller = any($1) order by request_id', parties],
      [
        'select id, type, event from messages.outbox where id = any($1) order by id',
        [event?.id, item?.event.id],
      ],
    ];
    const stored = [];
    for (const [text, value] of tables) stored.push(await tx.query({ text, values: [value] }));
    found = { answer, stored };
    throw new Error('nothing stays');
  };
  await expect(home.database.transaction(look)).rejects.toThrow('nothing stays');
  return found;
}

const item = { item: {} as never, event: eventOf('items_changed') };
const request = (requestId: string) => ({
  operation: 'send_message',
  requestId,
  digest: Buffer.from(requestId),
});
const first = messageOf(sender, recipient, {}, { request: request('first') });

test.each<[string, Partial<NewMessage['row']>, Partial<NewMessage>]>([
  ['plain', {}, {}],
  ['with every field', { title: 'a', data: { b: '\u0000' }, reply_to: holder, counts_as: 3 }, {}],
  ['declined', { box: 2 }, { declined: true }],
  ['at a front door', { box: 3, holder }, { item, person: holder, senderPerson: sender }],
  ['held', { box: 2, holder }, { item, person: recipient }],
  ['that acquaints nobody and is not announced', {}, { acquaints: false, event: undefined as never }],
  ['with a request_id', {}, { request: request('second') }],
  ['with a request_id that was already used', {}, { request: request('first') }],
])('a message writes the same rows alone and in a batch: %s', async (_, row, more) => {
  const message = messageOf(sender, recipient, { thread: first.row.thread, ...row }, more);
  const other = messageOf(holder, randomUUID(), {}, {});
  const alone = await writtenOf([message], [first]);
  expect(alone).toEqual(await writtenOf([message, other], [first]));
  const isUsed = more.request?.requestId === 'first';
  expect(alone).toMatchObject({
    answer: isUsed ? undefined : { id: message.row.id },
    stored: [isUsed ? [] : [{ id: message.row.id }], {}, {}, {}, {}, {}],
  });
});
