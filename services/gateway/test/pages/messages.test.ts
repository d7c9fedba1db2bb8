import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { timeIn } from '@hearth/calendar';
import { badField, badRequest, forbidden, notFound, rateLimited, unavailable } from '@hearth/errors';
import { english } from '@hearth/i18n';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { Via } from '@hearth/proto/common/v1/caller';
import {
  Box,
  Delivery,
  type GetThreadRequest,
  type ListThreadsRequest,
  type MessageSchema,
  MessagesService,
  SenderStatus,
  type ThreadSchema,
} from '@hearth/proto/messages/v1/messages';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { csrfOf, cursorIn, expectPage, expectSignIn, expectWords, wordsOf } from './visitor.ts';

type Shown = MessageInitShape<typeof MessageSchema>;

const idOf = (prefix: string, digit: number) => `${prefix}_${`${digit}`.repeat(32)}`;
const [first, second] = [idOf('thr', 1), idOf('thr', 2)];
const path = `/messages/${first}`;
const at = (minutesAgo: number) => timestampFromMs(clock.now() - minutesAgo * 60_000);

const theirs: Shown = {
  ...{ id: idOf('msg', 1), thread: first, from: '@bob.ai-robin', fromName: 'Robin <b>', to: '@ada' },
  ...{ fromStatus: SenderStatus.CLAIMED, nameVerified: true, text: 'Hello\n<i>you</i>', at: at(60) },
  ...{ box: Box.INBOX, via: Via.API },
};
const mine: Shown = {
  ...{ id: idOf('msg', 2), thread: first, from: '@ada', fromName: 'Ada Lovelace', to: '@bob.ai-robin' },
  ...{ fromStatus: SenderStatus.PERSON, nameVerified: true, text: 'Good morning', at: at(1) },
  ...{ box: Box.SENT, via: Via.WEB },
};

let threads: MessageInitShape<typeof ThreadSchema>[];
/** By thread, newest first; other threads are not found. */
let messages: Record<string, Shown[]>;
let cursors: { threads?: string; messages?: string };
let asked: Noted[];
/** By the name of the call. */
let failures: Record<string, Error>;
let delivery: Delivery;

const noted = noting((call) => {
  asked.push(call);
  const failure = failures[call.name];
  if (failure !== undefined) throw failure;
});

const home = await startHomeWithPeople([
  fake(MessagesService, {
    listThreads: async (request: ListThreadsRequest, { caller }) => {
      asked.push({ name: 'list', request, person: caller.id });
      return { threads: caller.id === adaId ? threads : [], nextCursor: cursors.threads };
    },
    getThread: async ({ id, cursor }: GetThreadRequest, { caller }) => {
      const found = caller.id === adaId ? messages[id] : undefined;
      const thread = threads.find((item) => item.id === id);
      if (cursor === 'bad') throw badField('cursor', 'is not a cursor');
      if (found === undefined || thread === undefined) throw notFound();
      return { thread, messages: found, nextCursor: cursors.messages };
    },
    countUnread: async () => {
      if (failures['count'] !== undefined) throw failures['count'];
      return { count: 3 };
    },
    markRead: noted('read', { read: 1 }),
    sendMessage: noted('send', () => ({ thread: first, delivery })),
    deleteMessage: noted('delete', { id: '' }),
  }),
  fake(RequestsService, {
    block: noted('block', { target: '' }),
    report: noted('report', { id: 'rpt_1' }),
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  threads = [
    { id: first, with: '@bob.ai-robin', lastAt: at(1), unread: 2, box: Box.INBOX },
    { id: second, with: 'carol@far.example', lastAt: at(90), unread: 0, box: Box.REQUESTS },
  ];
  messages = { [first]: [mine, theirs], [second]: [] };
  cursors = {};
  asked = [];
  failures = {};
  delivery = Delivery.DELIVERED;
});

const acts = () => asked.filter(({ name }) => name !== 'list');

describe('a visitor', () => {
  test.each(['/messages', '/messages/new', path])('signs in first: %s', async (place) => {
    expectSignIn(await home.stranger().open(place), place);
  });

  test('sends nothing, nor does a form without a CSRF token', async () => {
    const form = { do: 'reply', text: 'x', to: '@bob' };
    for (const place of [path, '/messages/new']) {
      const [stranger, forged] = [
        await home.stranger().post(place, form),
        await home.ada.post(place, { ...form, csrf: 'wrong' }),
      ];
      expect([stranger.status, forged.status, asked]).toEqual([403, 403, []]);
    }
  });
});

describe('/messages', () => {
  test('lists the threads with the other party, the first words and the unread count', async () => {
    const page = await home.ada.open('/messages');
    expectPage(page, 200, 'Robin <b> 2 unread You: Good morning @bob.ai-robin', 'carol@far.example');
    expectWords(page, 'No messages left.', 'waiting for you to accept');
    expect(page.text).toContain('<title>(3) Messages - ');
    expect(page.text).toMatch(/aria-current="page">Messages <span class="count">3/);
    expect(page.text).toContain(`href="${path}"`);
    expect(acts()).toEqual([]);
  });

  test('names the other party, who has not written yet, like the thread', async () => {
    threads = [{ ...threads[1]!, withName: 'Carol <c>', nameVerified: false }];
    expectWords(await home.ada.open('/messages'), 'Carol <c>', 'carol@far.example', 'unverified name');
    expectWords(await home.ada.open(`/messages/${second}`), 'Carol <c>', 'unverified name');
  });

  test('leads to older threads', async () => {
    cursors = { threads: 'next' };
    const older = cursorIn(await home.ada.open('/messages'), 'older', 'next');
    cursors = {};
    expectWords(await home.ada.open(`/messages?older=${older}`), 'Newest');
    expect(asked.at(-1)).toMatchObject({ request: { cursor: 'next' } });
  });

  test('is shown for a guest without threads, and while counts are unavailable', async () => {
    failures = { count: unavailable('no') };
    expectPage(await home.grace.open('/messages'), 200, 'No messages yet.');
  });

  test('shows a thread that was just deleted without its text', async () => {
    messages = { [first]: [mine] };
    expectPage(await home.ada.open('/messages'), 200, 'No messages left.');
  });

  test('is linked from every page', async () => {
    expect((await home.ada.open('/requests/blocked')).text).toContain('href="/messages"');
  });
});

describe('a thread', () => {
  test("shows both parties' messages in order, and whose AI wrote", async () => {
    const page = await home.ada.open(path);
    expectPage(page, 200, 'Hello <i>you</i>', 'AI of @bob', 'has an owner', 'Good morning');
    const words = wordsOf(page);
    expect(words.indexOf('Hello')).toBeLessThan(words.indexOf('Good morning'));
  });

  test('is read up to its newest message once it is viewed', async () => {
    await home.ada.open(path);
    expect(acts()).toMatchObject([
      { name: 'read', request: { thread: first, upTo: mine.id }, person: adaId },
    ]);
  });

  test('stays unread on an older page, and on a prefetch', async () => {
    cursors = { messages: 'x' };
    const unread = threads[0]!.unread!;
    threads[0]!.unread = 0;
    const older = cursorIn(await home.ada.open(path), 'older', 'x');
    threads[0]!.unread = unread;
    await home.ada.open(`${path}?older=${older}`);
    const cookie = [...home.ada.cookies].map((pair) => pair.join('=')).join('; ');
    for (const init of [{ method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch;prerender' } }])
      await fetch(`${home.url}${path}`, { ...init, headers: { ...init.headers, cookie } });
    threads[0]!.unread = 0;
    await home.ada.open(path);
    expect(acts()).toEqual([]);
  });

  test('is shown while it cannot be marked as read', async () => {
    failures = { read: unavailable('no') };
    expectPage(await home.ada.open(path), 200, 'Good morning');
  });

  test('that waits shows the message to accept', async () => {
    messages[second] = [
      { ...theirs, box: Box.REQUESTS, fromStatus: SenderStatus.UNCLAIMED, nameVerified: false },
    ];
    const page = await home.ada.open(`/messages/${second}`);
    expectPage(page, 200, 'You haven’t accepted this conversation yet', 'unverified name', 'no owner');
    expect(page.text).toContain(`href="/requests/${theirs.id}"`);
  });

  test('without messages, and with an unknown other party, can be answered', async () => {
    expectPage(await home.ada.open(`/messages/${second}`), 200, 'carol@far.example', 'No messages left.');
  });

  test.each(['/messages/thr_1', '/messages/x', `/messages/${idOf('thr', 9)}`])(
    'that is none: %s',
    async (none) => {
      expect((await home.ada.open(none)).status).toBe(404);
      expect((await home.grace.open(path)).status).toBe(404);
    },
  );

  test('leads to older messages, and explains an invalid cursor', async () => {
    cursors = { messages: 'next' };
    const older = cursorIn(await home.ada.open(path), 'older', 'next');
    expect((await home.ada.open(`${path}?older=${older}`)).status).toBe(200);
    expect((await home.ada.open(`${path}?older=bad`)).status).toBe(400);
  });

  test("shows a remote message's delivery, and which program sent it", async () => {
    messages[first] = [
      { ...mine, delivery: Delivery.UNDELIVERABLE, via: Via.APP },
      { ...mine, id: idOf('msg', 3), delivery: Delivery.HELD, via: Via.MCP },
    ];
    expectPage(await home.ada.open(path), 200, 'couldn’t be delivered', 'not delivered yet');
    expectWords(await home.ada.open(path), 'sent by your app', 'sent by one of your programs');
  });
});

describe('an answer', () => {
  const send = async (fields: Record<string, string>) => {
    const csrf = csrfOf(await home.ada.open(path));
    asked = [];
    return await home.ada.post(path, { csrf, ...fields });
  };

  test('is sent to the thread, once for each form', async () => {
    const page = await home.ada.open(path);
    const attempt = /name="attempt" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const sent = await send({ do: 'reply', attempt, text: ' Two\r\nlines ' });
    expect([sent.status, sent.headers.location]).toEqual([303, `${path}?done=sent`]);
    expect(acts()).toMatchObject([
      { name: 'send', request: { thread: first, text: 'Two\nlines', requestId: attempt }, person: adaId },
    ]);
    expect(attempt).not.toBe('');
  });

  test.each([
    [Delivery.REQUESTED, 'requested', 'The recipient will decide whether to accept it'],
    [Delivery.FRONT_DOOR, 'front_door', 'front-door AI will look at it first'],
    [Delivery.DECLINED, 'declined', 'isn’t taking this up'],
    [Delivery.HELD, 'held', 'until the recipient’s home receives it'],
  ])('%s is reported', async (how, done, words) => {
    delivery = how;
    expect((await send({ do: 'reply', text: 'x' })).headers.location).toBe(`${path}?done=${done}`);
    const page = await home.ada.open(`${path}?done=${done}`);
    expectWords(page, words);
    const isThere = how !== Delivery.DECLINED && how !== Delivery.HELD;
    expect([page.text.includes('notice good'), page.text.includes('notice info')]).toEqual([
      isThere,
      !isThere,
    ]);
  });

  test.each([
    ['without words', '', {}, 'Error: Use 1 to 8,000 characters'],
    ['to one who is gone', 'x', { send: notFound() }, 'You can no longer write in this conversation.'],
    [
      'to one who does not take it',
      'x',
      { send: forbidden('no messages from you') },
      'You don’t have permission to do this.',
    ],
    [
      'of a child',
      'x',
      { send: forbidden('a person under 18 writes to their groups', { rule: 'only_acquaintances' }) },
      'People under 18 can only write to their guardians and to people in their groups.',
    ],
    [
      'too often',
      'x',
      { send: rateLimited('messages_to_strangers_a_day', new Date(clock.now() + 90_000)) },
      `You’ve done that too often. Try again after ${english.words(timeIn(new Date(clock.now() + 90_000).toISOString(), 'UTC'))} UTC.`,
      429,
    ],
    ['while the service is away', 'x', { send: unavailable('away') }, 'That can’t be done right now', 503],
    [
      'with different text',
      'x',
      { send: badRequest('no', { code: 'request_id_reused' }) },
      'This form was already sent',
    ],
  ])(
    '%s is refused with an explanation, and keeps the typed values',
    async (_, text, failing, words, status = 400) => {
      failures = failing as Record<string, Error>;
      const page = await send({ do: 'reply', text });
      expectPage(page, status, words);
      expect(page.headers['retry-after']).toBe(status === 429 ? '90' : undefined);
      expect(page.text).toContain(`>${text}</textarea>`);
      expect(acts().filter(({ name }) => name === 'read')).toEqual([]);
    },
  );

  test('with an unknown act does nothing', async () => {
    expectPage(
      await send({ do: 'constructor' }),
      400,
      'This page has expired. Open it again and repeat what you did.',
    );
    expect(acts()).toEqual([]);
    failures = { send: new Error('broken') };
    expect((await send({ do: 'reply', text: 'x' })).status).toBe(500);
  });

  test('can be deleted while that is possible', async () => {
    messages[first] = [mine, { ...mine, id: idOf('msg', 3), at: at(16) }, { ...mine, retracted: true }];
    const page = await home.ada.open(path);
    expect(page.text.match(/name="message" value="[^"]*"/g)).toEqual([`name="message" value="${mine.id}"`]);
    const sent = await send({ do: 'take-back', message: mine.id! });
    expect(sent.headers.location).toBe(`${path}?done=taken_back`);
    expect(acts()).toMatchObject([{ name: 'delete', request: { id: mine.id, mode: 2 } }]);
    failures = { delete: badRequest('it was read already', { code: 'already_settled' }) };
    expectPage(
      await send({ do: 'take-back', message: mine.id! }),
      400,
      'This has already been done or answered.',
    );
  });
});

describe('an unwanted sender', () => {
  const send = async (fields: Record<string, string>) =>
    await home.ada.post(path, { csrf: csrfOf(await home.ada.open(path)), ...fields });
  beforeEach(() => {
    threads[0]!.unread = 0;
  });

  test('is reported with their newest message, and blocked', async () => {
    const sent = await send({ do: 'both', reason: 'spam', text: 'Odd', from: '@somebody-else' });
    expect(sent.headers.location).toBe(`${path}?done=blocked_reported`);
    expect(acts()).toMatchObject([
      { name: 'report', request: { about: theirs.id, text: 'Odd' } },
      { name: 'block', request: { target: '@bob.ai-robin' } },
    ]);
  });

  test('is reported by address if none of their messages is left', async () => {
    messages[first] = [mine];
    await send({ do: 'report', reason: 'spam', text: '' });
    expect(acts()).toMatchObject([{ name: 'report', request: { about: '@bob.ai-robin' } }]);
  });

  test('cannot be reported with too long a text', async () => {
    const page = await send({ do: 'report', reason: 'spam', text: 'y'.repeat(2_001) });
    expectPage(page, 400, 'at most 2,000 characters');
    expect(page.text).toContain('href="#text-0"');
  });
});

describe('/messages/new', () => {
  const send = async (fields: Record<string, string>) => {
    const page = await home.ada.open('/messages/new');
    return await home.ada.send(page, '/messages/new', fields);
  };

  test('writes to an address, and continues in the thread', async () => {
    const page = await home.ada.open('/messages/new?to=@bob"><b>');
    expect(page.text).toContain('value="@bob&#34;&#62;&#60;b&#62;"');
    const sent = await send({ to: ' @bob ', kind: 'sales', text: 'Hello' });
    expect([sent.status, sent.headers.location]).toEqual([303, `${path}?done=sent`]);
    expect(acts()).toMatchObject([{ name: 'send', request: { to: '@bob', text: 'Hello', requestKind: 4 } }]);
  });

  test.each([
    ['nobody', { send: notFound() }, 'There’s nobody you can write to at this address.'],
    ['a group', { send: badField('to', 'is a group') }, 'Enter the address of someone you can reach here.'],
    [
      'one who takes nothing',
      { send: forbidden('no messages from you') },
      'You don’t have permission to do this.',
    ],
  ])('to %s is refused with an explanation, and keeps the typed values', async (_, failing, words) => {
    failures = failing as Record<string, Error>;
    const page = await send({ to: '@bob', kind: 'sales', text: 'Hello' });
    expectPage(page, 400, words);
    for (const kept of ['value="@bob"', '>Hello</textarea>', '<option value="sales" selected>'])
      expect(page.text).toContain(kept);
  });

  test('without text, or with an unknown purpose, says so', async () => {
    expectPage(await send({ to: '@bob', text: '' }), 400, 'Error: Use 1 to 8,000 characters');
    expectPage(
      await send({ to: '@bob', text: 'x', kind: 'nonsense' }),
      400,
      'Error: Choose one of the options.',
    );
    expect(acts()).toEqual([]);
  });
});
