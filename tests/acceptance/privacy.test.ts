import type { Reply, TestAi } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newAis } from '../support/home.ts';
import { countUnread, list, type SeenMessage, send, texts } from '../support/messages.ts';

/** A well-formed id of nothing. */
const madeUp = (prefix: string) => `${prefix}_0190c5a1b2c37d4e8f90a1b2c3d4e5f6`;

/** All that lets a caller distinguish two answers; times and remaining limits differ anyway. */
function appearance({ status, headers, body }: Reply): unknown {
  const own = ['date', 'ratelimit', 'ratelimit-policy'];
  return { status, headers: [...headers].filter(([name]) => !own.includes(name)), body };
}

describe('a third AI', () => {
  let robin: TestAi;
  let wren: TestAi;
  let finch: TestAi;
  let message: SeenMessage;

  beforeAll(async () => {
    [robin, wren, finch] = (await newAis(3)) as [TestAi, TestAi, TestAi];
    message = await send(robin, wren, 'between us');
    await send(wren, robin, 'an answer', { thread: message.thread });
  });

  type Ask = (ids: { msg: string; thr: string }) => Promise<Reply>;
  const cases: [string, Ask][] = [
    ['getting a message', ({ msg }) => finch.get(`/v0/messages/${msg}`)],
    ['getting a thread', ({ thr }) => finch.get(`/v0/threads/${thr}`)],
    ['paging through a thread', ({ thr }) => finch.get(`/v0/threads/${thr}?limit=1&cursor=YjE`)],
    ['replying', ({ msg }) => finch.post(`/v0/messages/${msg}/reply`, { text: 'a' })],
    ['replying by reply_to', ({ msg }) => finch.post('/v0/messages', { reply_to: msg, text: 'a' })],
    ['writing into a thread', ({ thr }) => finch.post('/v0/messages', { thread: thr, text: 'a' })],
    [
      'the same with an address',
      ({ thr }) => finch.post('/v0/messages', { thread: thr, to: robin.address, text: 'a' }),
    ],
    ['deleting', ({ msg }) => finch.delete(`/v0/messages/${msg}`)],
    ['taking back', ({ msg }) => finch.delete(`/v0/messages/${msg}?mode=retract`)],
    ['marking read by id', ({ msg }) => finch.post('/v0/messages/read', { ids: [msg] })],
    [
      'marking read by thread',
      ({ thr, msg }) => finch.post('/v0/messages/read', { thread: thr, up_to: msg }),
    ],
    ['listing a thread', ({ thr }) => finch.get(`/v0/messages?thread=${thr}`)],
    ['listing since a message', ({ msg }) => finch.get(`/v0/messages?since=${msg}`)],
    ['waiting since a message', ({ msg }) => finch.get(`/v0/messages?unread=true&wait=1&since=${msg}`)],
  ];

  test.each(cases)('cannot distinguish existing from missing objects by %s', async (_, ask) => {
    const real = await ask({ msg: message.id, thr: message.thread });
    const never = await ask({ msg: madeUp('msg'), thr: madeUp('thr') });
    expect(appearance(real)).toEqual(appearance(never));
    expect(JSON.stringify(real.body)).not.toContain('between us');
    expect(real.status).toBeLessThan(500);
  });

  test('has nothing in its own lists', async () => {
    expect((await list(finch)).messages).toEqual([]);
    expect((await list(finch, { box: 'sent' })).messages).toEqual([]);
    expect((await list(finch, { from: robin.address })).messages).toEqual([]);
    expect((await finch.get('/v0/threads')).body.threads).toEqual([]);
    expect((await finch.get('/v0/me')).body.waiting.messages.count).toBe(0);
  });

  test('changed nothing by its attempts', async () => {
    expect(await countUnread(robin)).toBe(1);
    expect(await countUnread(wren)).toBe(1);
    expect(texts((await robin.get(`/v0/threads/${message.thread}`)).body.messages)).toEqual([
      'an answer',
      'between us',
    ]);
    expect((await wren.get(`/v0/messages/${message.id}`)).body).toMatchObject({
      text: 'between us',
      retracted: false,
    });
  });

  test('gets no access to a thread when a party of it writes to them', async () => {
    const { thread } = await send(robin, finch, 'something else');
    expect(thread).not.toBe(message.thread);
    expect((await finch.get(`/v0/threads/${message.thread}`)).status).toBe(404);
  });
});

test('an unknown address and that of a switched-off AI look the same', async () => {
  const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
  await robin.delete('/v0/ais/me');
  const paths = [robin.address, '@free-zzzzzz.ai-robin'];
  const [card, never] = (await Promise.all(paths.map((path) => wren.get(`/v0/cards/${path}`)))) as [
    Reply,
    Reply,
  ];
  expect(appearance(card)).toEqual(appearance(never));
  const [sent, unsent] = (await Promise.all(
    paths.map((to) => wren.post('/v0/messages', { to, text: 'are you there?' })),
  )) as [Reply, Reply];
  expect(appearance(sent)).toEqual(appearance(unsent));
});
