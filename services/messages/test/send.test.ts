import { fromBinary } from '@bufbuild/protobuf';
import { sql } from '@hearth/db';
import { decodeWake, wakeSubject } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CarriedSchema } from '@hearth/proto/delivery/v1/delivery';
import { Box, ListMessagesResponseSchema } from '@hearth/proto/messages/v1/messages';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { failure, startMessages, turnedAway } from './start-messages.ts';

const home = await startMessages({
  HEARTH_LIMITS: '{"messages_to_strangers_a_day": {"unclaimed": 3, "claimed": 2}}',
});
let robin: Caller;
let wren: Caller;

afterAll(() => home.stop());
beforeEach(() => {
  robin = home.newAi('robin');
  wren = home.newAi('wren');
});

const send = (from: Caller, to: Caller, text: string, more = {}) => home.send(from, to.address, text, more);
const received = (by: Caller) => home.received(by, { limit: 100 });
const runSql = (text: string) => home.run({ text });
const befriend = async () => {
  await send(robin, wren, 'hello');
  await send(wren, robin, 'hello');
};

describe('one statement for many messages', () => {
  test('numbers both mailboxes without gaps, in the same order for both sides', async () => {
    await befriend();
    const rounds = Array.from({ length: 150 }, (_, index) => index);
    await Promise.all(
      rounds.flatMap((n) => [send(robin, wren, `to wren ${n}`), send(wren, robin, `to robin ${n}`)]),
    );
    const boxes = await home.database.db.query<{ owner: string; seqs: number[]; last_seq: number }>({
      text: `
        select b.owner, b.last_seq, array_agg(s.seq order by s.seq) as seqs from messages.mailboxes b
        join lateral (
          select sender_seq as seq from messages.messages where sender = b.owner
          union all select recipient_seq from messages.messages where recipient = b.owner) s on true
        where b.owner = any($1::uuid[]) group by b.owner`,
      values: [[robin.id, wren.id]],
    });
    expect(boxes).toHaveLength(2);
    for (const { seqs, last_seq } of boxes) {
      expect(seqs.map(Number)).toEqual(Array.from({ length: 302 }, (_, index) => index + 1));
      expect(last_seq).toBe(302);
    }
    const [disagreeing] = await home.database.db.query<{ count: number }>({
      text: `
        select count(*)::int as count from messages.messages a join messages.messages b on a.sender = b.recipient
        where a.sender = $1 and b.sender = $2 and (a.sender_seq < b.recipient_seq) <> (a.recipient_seq < b.sender_seq)`,
      values: [robin.id, wren.id],
    });
    expect(disagreeing?.count).toBe(0);
  });

  test('fails a message that cannot be written for its sender only', async () => {
    await befriend();
    await runSql(`
      create function messages.refuse() returns trigger language plpgsql as $$
      begin if new.body = 'poison' then perform new.body::uuid; end if; return new; end $$`);
    await runSql(
      'create trigger refuse before insert on messages.messages for each row execute function messages.refuse()',
    );
    const texts = Array.from({ length: 40 }, (_, index) => (index === 17 ? 'poison' : `word ${index}`));
    const outcomes = await Promise.allSettled(texts.map((text) => send(robin, wren, text)));
    await runSql('drop trigger refuse on messages.messages');
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([17]);
    const stored = (await received(wren)).map(({ text }) => text);
    for (const text of texts)
      expect(stored.filter((each) => each === text)).toHaveLength(text === 'poison' ? 0 : 1);
  });

  test('never deadlocks crossing pairs, and writes every message once', async () => {
    const all = Array.from({ length: 12 }, (_, index) => home.newAi(`ai-${index}`));
    const pairs = all.flatMap((from) => all.filter((to) => to !== from).map((to) => [from, to] as const));
    // Everyone knows everyone, so that no limit for strangers applies.
    await home.run(sql`
      insert into messages.contacts (owner, other, since)
      select a, b, now() from unnest(
        ${pairs.map(([from]) => from.id)}::uuid[], ${pairs.map(([, to]) => to.id)}::uuid[]) as p(a, b)`);
    await Promise.all(pairs.flatMap(([from, to]) => [1, 2, 3, 4].map((n) => send(from, to, `${n}`))));
    for (const ai of all) {
      const { unread } = await home.by(ai).listMessages({ limit: 1 });
      expect(unread).toBe(44);
    }
  });

  test('announces each message once, in the transaction that wrote it', async () => {
    const { id } = await send(robin, wren, 'hello');
    const rows = await home.database.db.query<{ type: string }>({
      text: `select type from messages.outbox where position(convert_to($1, 'UTF8') in event) > 0`,
      values: [id],
    });
    expect(rows).toEqual([{ type: 'message_sent' }]);
  });
});

describe('the wake-up for a message', () => {
  async function carried(work: () => Promise<unknown>) {
    const found = new Map<string, Uint8Array>();
    const hearing = home.bus.onSignal(wakeSubject, (payload) => {
      for (const [topic, bytes] of decodeWake(payload).carried) found.set(topic, bytes);
    });
    await work();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await hearing.stop();
    const bytes = found.get(`messages:${wren.id}`);
    if (bytes === undefined) return undefined;
    const { since, caughtUpAfter, answer } = fromBinary(CarriedSchema, bytes);
    return { since, caughtUpAfter, answer: fromBinary(ListMessagesResponseSchema, answer) };
  }

  test('contains what a poll from the newest unread message would return', async () => {
    await befriend();
    const [hello] = await received(wren);
    const more = { title: 'Lunch', replyTo: hello!.id };
    const found = (await carried(() => send(robin, wren, 'soup? 🍲', more)))!;
    const read = await home.by(wren).listMessages({ since: hello!.id, unread: true, wait: 1 });
    expect(found).toEqual({ since: hello!.id, caughtUpAfter: read.messages[0]!.id, answer: read });
    await home.by(wren).markRead({ ids: [hello!.id, read.messages[0]!.id] });
    const next = (await carried(() => send(robin, wren, 'well?')))!;
    expect(next).toMatchObject({ since: '', answer: { unread: 1, messages: [{ text: 'well?' }] } });
  });

  test('is empty for a long text, data, one of several messages, or a message not for its recipient alone', async () => {
    await befriend();
    expect(await carried(() => send(robin, wren, 'x'.repeat(5_000)))).toBeUndefined();
    expect(await carried(() => send(robin, wren, 'x', { data: { a: 1 } }))).toBeUndefined();
    expect(
      await carried(() => Promise.all([1, 2, 3].map((n) => send(robin, wren, `at once ${n}`)))),
    ).toBeUndefined();
    const { parent, child } = home.newFamily();
    wren = child;
    expect(await carried(() => home.send(parent, child.address, 'dinner!'))).toBeUndefined();
  });
});

describe('request_id', () => {
  test('a repeated request answers 200 and does not count as a message to a stranger', async () => {
    for (let n = 0; n < 6; n += 1) {
      let status = 0;
      await home
        .by(robin)
        .sendMessage(
          { to: wren.address, text: 'again', requestId: 'four' },
          { onMetadata: ({ httpStatus }) => (status = httpStatus) },
        );
      expect(status).toBe(n === 0 ? 0 : 200);
    }
  });
});

describe('strangers', () => {
  test('get as many messages as the limit allows, and stop being strangers once they answer', async () => {
    for (const text of ['one', 'two', 'three']) await send(robin, wren, text);
    await expect(send(robin, wren, 'four')).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { limit: 'messages_to_strangers_a_day' },
    });
    await send(wren, robin, 'I know you now');
    await send(robin, wren, 'four');
    expect(await received(wren)).toHaveLength(4);
  });

  test('are people outside shared groups; group members are not limited', async () => {
    const [ann, bob, cleo] = [home.newPerson('Ann'), home.newPerson('Bob'), home.newPerson('Cleo')];
    home.newGroup([ann, bob]);
    for (const to of [bob, bob, bob, cleo, cleo]) await send(ann, to, 'x');
    await expect(send(ann, cleo, 'x')).rejects.toMatchObject({
      details: { limit: 'messages_to_strangers_a_day' },
    });
  });

  test('who turn messages away count too: in the same words, with nothing stored but the sender’s count', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    home.rules.set(bob.id, { how: 'turned_away' });
    for (const words of [turnedAway, turnedAway, expect.stringMatching(/^rate_limited/)])
      expect(await failure(send(ann, bob, 'x'))).toEqual(words);
    expect(
      home
        .reaches()
        .slice(-3)
        .map(({ count }) => count),
    ).toEqual([true, true, false]);
    const rows = await home.database.db.query(
      sql`select 1 from messages.messages where recipient = ${bob.id}`,
    );
    expect(rows).toEqual([]);
  });
});

test('sent messages are listed for the sender only, without what the recipient did with them', async () => {
  const { id } = await send(robin, wren, 'hello');
  await home.by(wren).markRead({ ids: [id] });
  const { messages: sent } = await home.by(robin).listMessages({ box: Box.SENT });
  expect(sent.map((message) => [message.id, message.readAt, message.box])).toEqual([
    [id, undefined, Box.SENT],
  ]);
  expect((await home.by(wren).listMessages({ box: Box.SENT })).messages).toEqual([]);
});
