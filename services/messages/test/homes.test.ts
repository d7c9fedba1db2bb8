import { printId } from '@hearth/ids';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemDecision } from '@hearth/proto/federation/v1/items';
import { Box, DeleteMode, Delivery } from '@hearth/proto/messages/v1/messages';
import { eventually, failure, ids } from '@hearth/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { politeNo } from '../src/shared/domain/polite-no.ts';
import { startMessages, type TestMessages } from './start-messages.ts';

const otherHome = 'other.example';
const stranger = `robin.ai-scout@${otherHome}`;

let home: TestMessages;
let ownName: string;

beforeAll(async () => {
  home = await startMessages();
  ownName = 'hearth.example';
});
afterAll(() => home.stop());

const newReference = (prefix: 'msg' | 'thr') => `r:${otherHome}:${printId(prefix, ids.uuid())}`;

interface Given {
  id?: string;
  to?: string[];
  from?: string;
  body?: Record<string, unknown>;
  left?: number;
  limited?: boolean;
  type?: HomeItemType;
}

function itemOf({ to = [], from = stranger, body = {}, ...more }: Given) {
  const { id = newReference('msg'), type = HomeItemType.MESSAGE } = more;
  const sender = { id: `ai_${from}`, kind: 'ai', name: 'Robin', name_verified: true, status: 'claimed' };
  return {
    type,
    id,
    rev: 1n,
    home: otherHome,
    from,
    senderJson: JSON.stringify(sender),
    to,
    bodyJson: JSON.stringify({ thread: newReference('thr'), text: 'hello from afar', ...body }),
  };
}

/** Delivers an item of the other home as federation does; returns its verdict and the item. */
async function receive({ body = {}, left = 20, limited = false, ...more }: Given) {
  const thread = (body['thread'] as string) ?? newReference('thr');
  const item = itemOf({ ...more, body: { thread, ...body } });
  const { id } = item;
  const request = { items: [item], domain: otherHome, limited, firstContactsLeft: left };
  const { verdicts } = await home.asFederation.receiveHomeItems(request);
  const { decision, code, firstContacts } = verdicts[0]!;
  return { id, thread, decision, code, firstContacts };
}

const items = async () => (await home.events('messages', 'itemForHomes')).map(({ data }) => data.value);
const settle = (id: string, delivered: boolean, why = '') =>
  home.publish({
    case: 'homeItemSettled',
    value: { service: 'messages', type: HomeItemType.MESSAGE, id, rev: 1n, home: otherHome, delivered, why },
  });

describe('a message to another home', () => {
  test('gets its own outcome when several are settled together', async () => {
    const helper = home.newAi('helper', { owner: home.newPerson('Ana') });
    const sent = await Promise.all(['one', 'two'].map((text) => home.send(helper, stranger, text)));
    const [first, second] = sent.map(({ id }) => ({
      ...{ service: 'messages', type: HomeItemType.MESSAGE, id, rev: 1n, home: otherHome },
    }));
    await home.publish({
      case: 'homeItemSettled',
      value: {
        ...{ ...first!, delivered: true },
        others: [{ ...second!, delivered: false, why: 'no_such_address' }],
      },
    });
    const deliveries = sent.map(async ({ id }) => (await home.by(helper).getMessage({ id })).delivery);
    expect(await Promise.all(deliveries)).toEqual([Delivery.DELIVERED, Delivery.UNDELIVERABLE]);
  });

  test('is held, goes out as an item, and is delivered once that home has it', async () => {
    const ana = home.newPerson('Ana');
    const helper = home.newAi('helper', { owner: ana });
    const sent = await home.send(helper, `Robin.ai-Scout@${otherHome}`, 'hi', {
      title: 'first',
      data: { n: 1 },
    });
    expect(sent).toMatchObject({ to: stranger, delivery: Delivery.HELD });
    const item = (await items()).at(-1)!;
    expect(item).toMatchObject({
      service: 'messages',
      type: HomeItemType.MESSAGE,
      id: sent.id,
      from: helper.address,
      homes: [{ home: otherHome, to: [stranger] }],
    });
    expect(JSON.parse(item.bodyJson)).toEqual({
      thread: `r:${ownName}:${sent.thread}`,
      title: 'first',
      text: 'hi',
      data_json: '{"n":1}',
      request_kind: 'other',
    });
    expect(JSON.parse(item.senderJson)).toEqual({
      id: printId('ai', helper.id),
      kind: 'ai',
      name: 'helper',
      name_verified: true,
      status: 'claimed',
      owner: { address: `${ana.address.slice(1)}@${ownName}`, name: 'Ana' },
    });
    await settle(sent.id, true);
    expect(await home.by(helper).getMessage({ id: sent.id })).toMatchObject({ delivery: Delivery.DELIVERED });
  });

  test('refused by the other home is undeliverable, with the reason, and later outcomes are ignored', async () => {
    const ai = home.newAi('lone');
    const sent = await home.send(ai, stranger);
    await settle(sent.id, false, 'no_such_address');
    await settle(sent.id, true);
    expect(await home.by(ai).getMessage({ id: sent.id })).toMatchObject({
      delivery: Delivery.UNDELIVERABLE,
      why: 'no_such_address',
    });
  });

  test('cannot be sent to a party that is gone, even in an existing thread', async () => {
    const ai = home.newAi('lone');
    const address = `gone.ai-x@${otherHome}`;
    const { id, thread } = await home.send(ai, address);
    home.parties.set(address, { ...home.parties.get(address), address: '' });
    expect(await failure(home.by(ai).sendMessage({ thread, text: 'again' }))).toMatch(/^not_found/);
    expect(await failure(home.by(ai).replyMessage({ id, text: 'again' }))).toMatch(/^not_found/);
    expect((await home.by(ai).getThread({ id: thread })).thread).toMatchObject({ with: address });
  });

  test('is erased there when it is unsent', async () => {
    const ai = home.newAi('lone');
    const sent = await home.send(ai, stranger);
    await home.by(ai).deleteMessage({ id: sent.id, mode: DeleteMode.RETRACT });
    expect((await items()).at(-1)).toMatchObject({
      type: HomeItemType.ERASED,
      homes: [{ home: otherHome }],
      bodyJson: JSON.stringify({ id: `r:${ownName}:${sent.id}`, rev: 2 }),
    });
  });

  test('cannot be sent by a person under 18, or to a group', async () => {
    const { child } = home.newFamily();
    expect(await failure(home.send(child, stranger))).toMatch(/minors_not_allowed/);
    expect(await failure(home.send(home.newAi('lone'), `&club@${otherHome}`))).toMatch(
      /bad_request bad_field to/,
    );
  });
});

test('a blocked home gets no message', async () => {
  home.blockedHomes.add('denied.example');
  expect(await failure(home.send(home.newAi('lone'), 'ana@denied.example'))).toMatch(/home_denied/);
});

describe('a message from another home', () => {
  // Everything that a home sends must be decided: a failing call is retried forever and blocks all later items.
  test.each<[string, Record<string, unknown>]>([
    ['data that nest deep', { data_json: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}` }],
    ['data with a NUL', { data_json: '{"a\\u0000":"\\u0000"}' }],
    ['data with half a surrogate pair', { data_json: '{"a":"\\ud800"}' }],
    ['data that are no object', { data_json: '[1]' }],
    ['data that are no JSON', { data_json: '{' }],
    ['data as a number', { data_json: 1 }],
    ['a text of only a NUL', { text: '\0' }],
    ['a text with a NUL', { text: 'a\0b' }],
    ['a title with a NUL', { title: 'a\0b' }],
    ['an invalid thread', { thread: 'r:x' }],
    ['a thread of a third home', { thread: 'r:third.example:thr_1' }],
    ['a reply to nothing', { reply_to: 'r:other.example:\0' }],
    ['members of every kind', { group: 1, via: {}, box: [] }],
  ])('with %s is accepted or refused, never retried', async (_, body) => {
    const ai = home.newAi('lone');
    const { decision } = await receive({ to: [ai.address], body });
    expect([HomeItemDecision.OK, HomeItemDecision.REJECTED]).toContain(decision);
  });

  test('reaches an AI in its inbox, and the reply goes back in the thread', async () => {
    const ai = home.newAi('lone');
    const { id, thread, decision, firstContacts } = await receive({
      to: [ai.address],
      body: { data_json: '{"a":[1]}', title: 'T', request_kind: 'offer', later: true },
    });
    expect([decision, firstContacts]).toEqual([HomeItemDecision.OK, 0]);
    const [message] = await home.received(ai);
    expect(message).toMatchObject({
      from: stranger,
      fromName: 'Robin',
      nameVerified: false,
      title: 'T',
      text: 'hello from afar',
      data: { a: [1] },
      box: Box.INBOX,
    });
    const answer = await home.by(ai).replyMessage({ id: message!.id, text: 'hi back' });
    expect(answer).toMatchObject({ thread: message!.thread, delivery: Delivery.HELD });
    expect(JSON.parse((await items()).at(-1)!.bodyJson)).toMatchObject({ thread, reply_to: id });
    // The thread continues, by either of its references.
    const again = await receive({
      to: [ai.address],
      body: { thread, reply_to: `r:${ownName}:${answer.id}` },
    });
    expect(again.decision).toBe(HomeItemDecision.OK);
    const [newest] = await home.received(ai);
    expect(newest).toMatchObject({ thread: message!.thread, replyTo: answer.id });
  });

  test('can be fetched as its home signed it, by its recipient only, until it is unsent', async () => {
    const [ai, other] = [home.newAi('lone'), home.newAi('other')];
    const signed = { protected: 'eyJraWQiOiJrMSJ9', signature: 's' };
    const envelope = { origin: otherHome, body: { text: 'a\0b', later: [1] }, mood: null, signature: signed };
    const itemJson = JSON.stringify({ ...envelope, co_signatures: [signed] });
    const item = { ...itemOf({ to: [ai.address] }), itemJson };
    const more = { domain: otherHome, limited: false, firstContactsLeft: 0 };
    await home.asFederation.receiveHomeItems({ items: [item, itemOf({ to: [other.address] })], ...more });
    const [message] = await home.received(ai);
    const had = await home.by(ai).getEnvelope({ id: message!.id });
    expect([had.envelope, had.home]).toEqual([JSON.stringify(envelope), otherHome]);
    expect(await failure(home.by(other).getEnvelope({ id: message!.id }))).toBe('not_found not_found');
    const none = async (viewer: typeof ai, id: string) =>
      expect(await failure(home.by(viewer).getEnvelope({ id }))).toBe('bad_request no_envelope');
    await none(ai, (await home.send(ai, other.address)).id);
    await home.asFederation.receiveHomeItems({
      items: [{ ...itemOf({ type: HomeItemType.ERASED }), bodyJson: JSON.stringify({ id: item.id }) }],
      ...more,
    });
    await none(ai, message!.id);
  });

  test('is stored once when it arrives twice', async () => {
    const ai = home.newAi('lone');
    const body = { thread: newReference('thr') };
    const { id } = await receive({ to: [ai.address], body });
    expect((await receive({ id, to: [ai.address], body })).decision).toBe(HomeItemDecision.OK);
    expect(await home.received(ai)).toHaveLength(1);
  });

  test('arrives in order with earlier ones, in one thread', async () => {
    const [ai, other] = [home.newAi('lone'), home.newAi('lone')];
    const thread = newReference('thr');
    const texts = Array.from({ length: 12 }, (_, n) => `number ${n}`);
    const first = newReference('msg');
    const items = texts.map((text, n) =>
      itemOf({
        ...(n === 0 && { id: first }),
        to: n === 5 ? [ai.address, other.address] : [ai.address],
        body: { thread, text, ...(n > 0 && { reply_to: first }) },
      }),
    );
    const { verdicts } = await home.asFederation.receiveHomeItems({
      ...{ items, domain: otherHome, limited: false, firstContactsLeft: 0 },
    });
    expect(verdicts.map(({ decision }) => decision)).toEqual(texts.map(() => HomeItemDecision.OK));
    const received = (await home.received(ai)).reverse();
    expect(received.map(({ text }) => text)).toEqual(texts);
    expect(new Set(received.map((message) => message.thread)).size).toBe(1);
    expect(received.slice(1).map(({ replyTo }) => replyTo)).toEqual(
      texts.slice(1).map(() => received[0]!.id),
    );
    const [alone] = await home.received(other);
    expect(alone).toMatchObject({ text: 'number 5' });
    expect(alone!.thread).not.toBe(received[0]!.thread);
  });

  test('starts its own thread when it names a thread of somebody else', async () => {
    const [one, other] = [home.newAi('one'), home.newAi('other')];
    const sent = await home.send(one, other.address);
    await receive({
      to: [one.address],
      body: { thread: `r:${ownName}:${sent.thread}`, reply_to: `r:${ownName}:${sent.id}` },
    });
    const [message] = await home.received(one);
    expect(message!.thread).not.toBe(sent.thread);
    expect(message!.replyTo).toBeUndefined();
  });

  test('to a person who does not know its sender waits by their rules, and counts as first contact', async () => {
    const ana = home.newPerson('Ana');
    const first = await receive({ to: [ana.address] });
    expect(first).toMatchObject({ decision: HomeItemDecision.OK, firstContacts: 1 });
    expect(home.reaches().at(-1)).toMatchObject({ home: otherHome, senderAddress: stranger });
    expect(await home.waiting(ana)).toMatchObject([
      { from: stranger, fromStatus: 'claimed', nameVerified: false },
    ]);
    expect(await receive({ to: [ana.address], left: 0 })).toMatchObject({ code: 'first_contact' });
    await home.send(ana, `else.ai-where@sub.${otherHome}`);
    expect(await receive({ to: [ana.address], left: 0 })).toMatchObject({ code: '', firstContacts: 0 });
    expect(await receive({ to: [ana.address], left: 0, limited: true })).toMatchObject({
      code: 'first_contact',
    });
  });

  test('to many people who do not know its sender counts once for each', async () => {
    const to = ['Ana', 'Bea', 'Cleo'].map((name) => home.newPerson(name).address);
    expect(await receive({ to })).toMatchObject({ code: '', firstContacts: 3 });
  });

  test('gets a polite no at its home when the person declines it, and a reply when they accept it with a note', async () => {
    const ana = home.newPerson('Ana');
    const [first, second] = [await receive({ to: [ana.address] }), await receive({ to: [ana.address] })];
    const [one, other] = await home.waiting(ana);
    await home.decline(ana, printId('msg', one!.id));
    await home.accept(ana, printId('msg', other!.id), 'Yes please');
    const sent = (await items()).slice(-2);
    for (const item of sent) {
      expect(item).toMatchObject({ from: ana.address, homes: [{ home: otherHome, to: [stranger] }] });
      expect(JSON.parse(item.senderJson)).toMatchObject({ kind: 'person', name: 'Ana', status: 'person' });
    }
    const told = sent.map(({ bodyJson }) => JSON.parse(bodyJson));
    expect(told.map(({ thread }) => thread).sort()).toEqual([first.thread, second.thread].sort());
    expect(told.map(({ reply_to }) => reply_to).sort()).toEqual([first.id, second.id].sort());
  });

  test('is announced with its envelope to the person’s app once it is in their inbox', async () => {
    const app = ids.uuid();
    const ana = home.newPerson('Ana', { app });
    const told = async () =>
      (await home.events('messages', 'messageSent')).flatMap(({ data: { value } }) =>
        value.fromHome?.person === ana.id ? { ...value.fromHome, quiet: value.quiet } : [],
      );
    const waits = await receive({ to: [ana.address], body: { title: 'Hi' } });
    expect(await told()).toEqual([]);
    const [waiting] = await home.waiting(ana);
    await home.accept(ana, printId('msg', waiting!.id));
    const envelope = { app, name: 'Robin', ai: true, ownerStatus: 'claimed', text: 'hello from afar' };
    // It was announced when it arrived in their requests: no one is woken again.
    expect(await told()).toMatchObject([{ ...envelope, envelope: waits.id, title: 'Hi', quiet: true }]);
    const direct = await receive({ to: [ana.address], body: { thread: waits.thread, reply_to: waits.id } });
    expect((await told()).slice(1)).toMatchObject([
      { ...envelope, envelope: direct.id, replyTo: printId('msg', waiting!.id), quiet: false },
    ]);
  });

  test('declined by a rule is answered once within the hour, and the person sees nothing', async () => {
    const ana = home.newPerson('Ana');
    home.rules.set(ana.id, { how: 'declined' });
    const { id, decision } = await receive({ to: [ana.address] });
    expect(decision).toBe(HomeItemDecision.OK);
    const before = (await items()).length;
    home.clock.advance(3_600_000);
    for (let run = 0; run < 2; run += 1) await home.runJob('messages: send-polite-noes');
    const [no, ...more] = (await items()).slice(before);
    expect(JSON.parse(no!.bodyJson)).toMatchObject({ text: politeNo, reply_to: id });
    expect(more).toEqual([]);
    expect(await home.received(ana, { box: Box.SENT })).toEqual([]);
    expect(await home.received(ana)).toEqual([]);
  });

  test('turned away by the person looks accepted', async () => {
    const ana = home.newPerson('Ana');
    home.rules.set(ana.id, { how: 'turned_away' });
    const { decision, thread } = await receive({ to: [ana.address] });
    expect(decision).toBe(HomeItemDecision.OK);
    expect(await home.received(ana)).toEqual([]);
    // The thread starts with the first accepted message.
    home.rules.set(ana.id, { how: 'inbox' });
    for (let n = 0; n < 2; n += 1) await receive({ to: [ana.address], body: { thread } });
    const threads = (await home.received(ana)).map((message) => message.thread);
    expect([threads.length, new Set(threads).size]).toEqual([2, 1]);
  });

  test('is refused for a person under 18, an unknown address or a third home', async () => {
    const { child } = home.newFamily();
    for (const to of [child.address, '@no-such-one', `ada@third.example`])
      expect(await receive({ to: [to] })).toMatchObject({ code: 'no_such_address' });
  });

  test.each([
    ['no text', { text: '' }],
    ['a long text', { text: 'x'.repeat(8_001) }],
    ['data that is no object', { data_json: '[1]' }],
    ['data that is no JSON', { data_json: '{' }],
    ['an unknown kind', { request_kind: 'spam' }],
    ['no thread', { thread: 7 }],
  ])('with %s is refused', async (_, body) => {
    const ai = home.newAi('lone');
    expect(await receive({ to: [ai.address], body })).toMatchObject({ code: 'schema' });
    expect(await home.received(ai)).toEqual([]);
  });

  test('unsent by its home disappears while unread, and stays once it was read', async () => {
    const ai = home.newAi('lone');
    const [unread, read] = [await receive({ to: [ai.address] }), await receive({ to: [ai.address] })];
    const [newest] = await home.received(ai);
    await home.by(ai).markRead({ ids: [newest!.id] });
    for (const { id } of [unread, read]) await receive({ type: HomeItemType.ERASED, body: { id, rev: 2 } });
    expect((await home.received(ai)).map(({ text, retracted }) => [text, retracted])).toEqual([
      ['hello from afar', false],
      ['', true],
    ]);
    expect(await home.unread(ai)).toBe(0);
  });
});

describe('a home that was reset', () => {
  test('shares nothing with the earlier one: its threads have ended, and its people are strangers', async () => {
    const ana = home.newPerson('Ana');
    const from = `robin.ai-anew@${otherHome}`;
    const sent = await home.send(ana, from, 'hi');
    const known = { to: [ana.address], from, left: 0 };
    const thread = `r:${ownName}:${sent.thread}`;
    expect(await receive({ ...known, body: { thread } })).toMatchObject({ code: '', firstContacts: 0 });
    const { other } = await home.database.db.one<{ other: string }>({
      text: 'select other from messages.threads where owner = $1',
      values: [ana.id],
    });
    await home.publish({ case: 'partiesBeganAnew', value: { home: otherHome, parties: [other] } });
    await eventually(async () => (await receive({ ...known, body: { thread } })).code === 'first_contact');
    expect(await failure(home.send(ana, from, 'still there?', { thread: sent.thread }))).toMatch(
      /not_waiting/,
    );
    const again = await receive({ ...known, left: 1, body: { thread } });
    expect(again).toMatchObject({ code: '', firstContacts: 1 });
    expect(await home.waiting(ana)).toHaveLength(1);
  });
});
