import type { KeyPair } from '@hearth/signing';
import { items, sign } from './item-vectors.ts';
import { home, now, strangerKey } from './material.ts';
import { type RequestBytes, reader, writeRequest } from './request-vectors.ts';

/** The body of a push signed by home.example, as other.example reads it. */
export interface PushCase {
  name: string;
  /** Text, or its bytes in base64 where they are not UTF-8. */
  body?: string;
  body_base64?: string;
  /** For valid pushes. */
  epoch?: number;
  first?: number;
  last?: number;
  /** For refused pushes: the code of the 400, and the item at fault. */
  code?: string;
  index?: number;
}

/** An answer, as its meaning for the sender of a push. */
export interface AnswerCase {
  name: string;
  push: { epoch: number; items: { id: string; rev: number; seq: number }[] };
  status: number;
  body: string;
  means: 'taken' | 'restored' | 'out_of_step' | 'bad_item' | 'one_by_one' | 'denied' | 'again';
  /** For accepted pushes: up to which item, and the result of each. */
  seq?: number;
  results?: string[];
}

export interface ConversationCase {
  name: string;
  /** The items in a home's log for the asking home, in order. */
  logs?: Record<string, { epoch: number; items: unknown[] }>;
  steps: {
    at: string;
    to: string;
    /** The step (counted from 1) to whose end the responding home was restored before this step. */
    restored_to?: number;
    request: RequestBytes;
    /** The text of an error is free. Its code is not, nor are index, epoch and seq where they are given. */
    answer: { status: number; body: string };
  }[];
}

type Item = Record<string, unknown>;
const epoch = 1_768_471_200;
const batch = (over: object = {}) => ({
  v: 1,
  origin: home,
  destination: reader.home,
  epoch,
  items: [{ seq: 1 }],
  ...over,
});
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ seq: from + at }));

export function pushCases(): PushCase[] {
  const text = (over?: object) => JSON.stringify(batch(over));
  const good = (name: string, over: object, first: number, last: number): PushCase => ({
    ...{
      name,
      body: text(over),
      epoch: ((over as { epoch?: number }).epoch ?? epoch) as number,
      first,
      last,
    },
  });
  const bad = (name: string, over: object, code = 'bad_batch', index?: number): PushCase => ({
    ...{ name, body: text(over), code },
    ...(index !== undefined && { index }),
  });
  const raw = (name: string, body: string, code: string, index?: number): PushCase => ({
    ...{ name, body, code },
    ...(index !== undefined && { index }),
  });
  const around = (item: string) => text().replace('{"seq":1}', `{"seq":1},${item}`);
  const deep = (levels: number) => `{"seq":2,"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const ahead = Date.parse(now) / 1_000;
  return [
    good('one item', {}, 1, 1),
    good('three items', { items: numbered(5, 3) }, 5, 7),
    good('200 items', { items: numbered(1, 200) }, 1, 200),
    good('with members that nobody knows', { later: true }, 1, 1),
    good('an epoch 300 seconds ahead', { epoch: ahead + 300 }, 1, 1),
    { name: 'an item of 32 levels', body: around(deep(31)), epoch, first: 1, last: 2 },
    bad('an epoch 301 seconds ahead', { epoch: ahead + 301 }),
    bad('v 2', { v: 2 }),
    bad('without v', { v: undefined }),
    bad('of another origin', { origin: 'third.example' }),
    bad('for another destination', { destination: 'third.example' }),
    bad('epoch 0', { epoch: 0 }),
    bad('epoch as a text', { epoch: String(epoch) }),
    bad('without an epoch', { epoch: undefined }),
    bad('no items', { items: [] }),
    bad('201 items', { items: numbered(1, 201) }),
    bad('items in an object', { items: { seq: 1 } }),
    bad('without items', { items: undefined }),
    bad('from 0', { items: [{ seq: 0 }] }),
    bad('without a number', { items: [{}] }),
    bad('numbers as texts', { items: [{ seq: '1' }] }),
    bad('with a gap', { items: [{ seq: 1 }, { seq: 3 }] }),
    bad('with a number twice', { items: [{ seq: 1 }, { seq: 1 }] }),
    bad('falling', { items: [{ seq: 2 }, { seq: 1 }] }),
    bad('an item that is a text', { items: [{ seq: 1 }, 'x'] }, 'bad_item', 1),
    bad('an item that is null', { items: [null] }, 'bad_item', 0),
    raw('a list', '[]', 'bad_batch'),
    raw('an item with a fraction', around('{"seq":2,"x":1.5}'), 'bad_item', 1),
    raw('an item with an exponent', around('{"seq":2,"x":1e2}'), 'bad_item', 1),
    raw('an item with -0', around('{"seq":2,"x":-0}'), 'bad_item', 1),
    raw('an item with an integer beyond 2^53 - 1', around('{"seq":2,"x":9007199254740992}'), 'bad_item', 1),
    raw('an item with a member twice', around('{"seq":2,"seq":2}'), 'bad_item', 1),
    raw('an item with a lone surrogate', around('{"seq":2,"x":"\\ud800"}'), 'bad_item', 1),
    raw('an item of 33 levels', around(deep(32)), 'bad_item', 1),
    raw('an item that breaks off', text().slice(0, -4), 'bad_item', 0),
    raw('a fraction beside the items', text().replace('"v":1', '"v":1.0'), 'bad_json'),
    raw('a member twice beside the items', text().replace('"v":1', '"v":1,"v":1'), 'bad_json'),
    raw('with more behind it', `${text()} x`, 'bad_json'),
    raw('empty', '', 'bad_json'),
    raw('with a byte order mark', `\ufeff${text()}`, 'bad_json'),
    {
      name: 'that is not UTF-8',
      body_base64: Buffer.from(text().replace('home.example', 'h\u00e9'), 'latin1').toString('base64'),
      code: 'bad_json',
    },
  ];
}

export function answerCases(): AnswerCase[] {
  const ids = [3, 4].map((seq) => ({ id: `r:${home}:msg_${seq}`, rev: 1, seq }));
  const push = { epoch, items: ids };
  const results = ids.map(({ id, rev }) => ({ id, rev, status: 'ok' }));
  const value = (over: object = {}) => JSON.stringify({ epoch, seq: 4, results, ...over });
  const one = (
    name: string,
    status: number,
    body: string,
    means: AnswerCase['means'],
    more: object = {},
  ): AnswerCase => ({
    ...{ name, push, status, body, means },
    ...more,
  });
  const delivered = { seq: 4, results: ['delivered', 'delivered'] };
  const swapped = [...results].reverse();
  return [
    one('taken', 200, value(), 'taken', delivered),
    one(
      'taken, and dup',
      200,
      value({ results: results.map((each) => ({ ...each, status: 'dup' })) }),
      'taken',
      delivered,
    ),
    one(
      'one was refused',
      200,
      value({ results: [results[0], { ...results[1], status: 'rejected', code: 'no_such_address' }] }),
      'taken',
      { seq: 4, results: ['delivered', 'no_such_address'] },
    ),
    one(
      'one was refused without a code',
      200,
      value({ results: [{ ...results[0], status: 'rejected' }, results[1]] }),
      'taken',
      { seq: 4, results: ['internal', 'delivered'] },
    ),
    one('only the first counts yet', 200, value({ seq: 3 }), 'taken', { ...delivered, seq: 3 }),
    one('nothing counts yet', 200, value({ seq: 2 }), 'taken', { ...delivered, seq: 2 }),
    one('more than was sent: the sender was restored', 200, value({ seq: 9 }), 'restored'),
    one('more than was sent, with results of nothing', 200, value({ seq: 9, results: [] }), 'restored'),
    one('less than was settled', 200, value({ seq: 1 }), 'again'),
    one('of another epoch', 200, value({ epoch: epoch + 1 }), 'again'),
    one('beyond what was sent, of another epoch', 200, value({ epoch: epoch + 1, seq: 9 }), 'again'),
    one('of a lower epoch', 200, value({ epoch: epoch - 1 }), 'again'),
    one('without results', 200, value({ results: undefined }), 'again'),
    one('with a result too few', 200, value({ results: results.slice(1) }), 'again'),
    one('with a result too many', 200, value({ results: [...results, results[0]] }), 'again'),
    one('in another order', 200, value({ results: swapped }), 'again'),
    one(
      'of another id',
      200,
      value({ results: [results[0], { ...results[1], id: `r:${home}:x` }] }),
      'again',
    ),
    one('of another rev', 200, value({ results: [results[0], { ...results[1], rev: 2 }] }), 'again'),
    one(
      'of a status that nobody knows',
      200,
      value({ results: [results[0], { ...results[1], status: 'later' }] }),
      'again',
    ),
    one('with seq as a text', 200, value({ seq: '4' }), 'again'),
    one('with seq below 0', 200, value({ seq: -1 }), 'again'),
    one('no JSON', 200, '<html>', 'again'),
    one('a member twice', 200, value().replace('"seq":4', '"seq":4,"seq":4'), 'again'),
    one(
      'out of step: the receiver was restored',
      409,
      JSON.stringify({ error: 'x', code: 'out_of_step', epoch, seq: 1 }),
      'out_of_step',
    ),
    one(
      'out of step: it has nothing',
      409,
      JSON.stringify({ code: 'out_of_step', epoch: 0, seq: 0 }),
      'out_of_step',
    ),
    one(
      'out of step: it has more than was sent',
      409,
      JSON.stringify({ code: 'out_of_step', epoch, seq: 9 }),
      'restored',
    ),
    one('out of step, at a number below 0', 409, JSON.stringify({ epoch, seq: -1 }), 'again'),
    one(
      'an item that cannot be read, its index a text',
      400,
      '{"code":"bad_item","index":"1"}',
      'one_by_one',
    ),
    one('out of step without where', 409, '{"code":"out_of_step"}', 'again'),
    one('an item that cannot be read', 400, '{"error":"x","code":"bad_item","index":1}', 'bad_item'),
    one('an item that cannot be read, none of these', 400, '{"code":"bad_item","index":2}', 'one_by_one'),
    one('an item that cannot be read, without its index', 400, '{"code":"bad_item"}', 'one_by_one'),
    one('no JSON as it is taken', 400, '{"code":"bad_json"}', 'one_by_one'),
    one('no push as it is taken', 400, '{"code":"bad_batch"}', 'one_by_one'),
    one('another 400', 400, '{"code":"bad_version"}', 'again'),
    one('no', 403, '{"error":"x","code":"denied"}', 'denied'),
    one('unknown key', 401, '{"error":"x","code":"unknown_key"}', 'again'),
    one('not found', 404, '{"error":"x"}', 'again'),
    one('too many', 429, '{"error":"x","code":"too_many"}', 'again'),
    one('a fault', 500, 'oh', 'again'),
    one('unavailable', 503, '{"code":"unavailable"}', 'again'),
  ];
}

const minute = 60_000;
const homeReader = { home, endpoint: `https://${home}/federation` };

/** Successive requests between home.example and other.example, with the response to each. */
class Conversation {
  readonly #case: ConversationCase;
  #number = 0;

  constructor(name: string, logs?: ConversationCase['logs']) {
    this.#case = { name, ...(logs && { logs }), steps: [] };
  }

  /** @param again the step, counted from 1, whose body is sent again */
  #step(
    request: RequestBytes,
    to: string,
    answer: { status: number; body: object },
    restored?: number,
  ): this {
    this.#case.steps.push({
      ...{ at: this.#at(), to },
      ...(restored !== undefined && { restored_to: restored }),
      request,
      answer: { status: answer.status, body: JSON.stringify(answer.body) },
    });
    this.#number += 1;
    return this;
  }

  #at(): string {
    return new Date(Date.parse(now) + this.#number * minute).toISOString();
  }

  get #fresh() {
    const nonce = Buffer.from(
      `${this.#case.name}`.padEnd(15, '.').slice(0, 15) + String.fromCharCode(65 + this.#number),
    );
    return { created: Date.parse(this.#at()) / 1_000, nonce: nonce.toString('base64url') };
  }

  push(
    list: Item[],
    answer: { status: number; body: object },
    over: { epoch?: number; restored?: number } = {},
  ): this {
    const body = JSON.stringify(batch({ items: list, ...(over.epoch && { epoch: over.epoch }) }));
    return this.#step(writeRequest({ ...this.#fresh, body }).request, reader.home, answer, over.restored);
  }

  back(list: Item[], answer: { status: number; body: object }): this {
    const body = JSON.stringify(batch({ origin: reader.home, destination: home, items: list }));
    const { request } = writeRequest({
      ...this.#fresh,
      ...{ body, origin: reader.home, home: homeReader, key: strangerKey.pair },
    });
    return this.#step(request, home, answer);
  }

  get(path: string, answer: { status: number; body: object }): this {
    const { request } = writeRequest({ ...this.#fresh, method: 'GET', path });
    return this.#step(request, reader.home, answer);
  }

  /** Sends the request of a step again, byte for byte. */
  replay(step: number, answer: { status: number; body: object }): this {
    const { request, to } = this.#case.steps[step - 1]!;
    this.#number -= 1;
    this.#step(request, to, answer);
    this.#number += 1;
    return this;
  }

  get whole(): ConversationCase {
    return this.#case;
  }
}

const answered = (seq: number, results: [item: Item, status: string, code?: string][], at = epoch) => ({
  status: 200,
  body: {
    epoch: at,
    seq,
    results: results.map(([{ id, rev }, status, code]) => ({ id, rev, status, ...(code && { code }) })),
  },
});
const refusedWith = (status: number, code: string, more: object = {}) => ({
  status,
  body: { error: 'No.', code, ...more },
});
const outOfStep = (seq: number, at = epoch) => refusedWith(409, 'out_of_step', { epoch: at, seq });

const message = (seq: number, over: Item = {}, name = seq) =>
  sign({ ...items.message, id: `r:${home}:msg_${name}`, seq, ...over });
/** The same item, sent again with new times. */
const later = { issued_at: '2026-01-15T12:00:00.000Z', expires_at: '2026-01-29T12:00:00.000Z' };
const state = (seq: number, rev: number, title: string) =>
  sign({
    ...items.state,
    seq,
    rev,
    body: { ...items.state.body, object: { ...items.state.body.object, title } },
  });
const skip = (seq: number, over: Item = {}) =>
  sign({ ...items.skip, id: `r:${home}:skip_${seq}`, seq, ...over });
const byOther = (item: Item, key: KeyPair = strangerKey.pair) => sign(item, key);

export const shortConversation = 'out of step, in few bytes';

export function conversationCases(): ConversationCase[] {
  const [one, two, three, four] = [1, 2, 3, 4].map((seq) => message(seq)) as [Item, Item, Item, Item];
  const renumbered = (seq: number, name: number) => message(seq, later, name);
  const act = sign({ ...items.act, seq: 1 });
  const result = byOther({
    ...{ v: 1, type: 'result', id: `r:${reader.home}:res_1`, rev: 1, seq: 1 },
    ...{ origin: reader.home, destination: home },
    ...later,
    body: { act: act['id'], status: 200, answer: { status: 'approved' } },
  });
  const theirs = [1, 2, 3].map((seq) =>
    byOther({
      ...items.message,
      ...{ id: `r:${reader.home}:msg_${seq}`, seq, origin: reader.home, destination: home },
      ...{ from: `ole@${reader.home}`, to: ['ana@home.example'] },
      body: { ...items.message.body, thread: `r:${reader.home}:thr_1` },
    }),
  );
  const erased = sign({ ...items.erased, seq: 2 });
  const held = { [reader.home]: { epoch, items: theirs } };
  const page = (list: Item[], more: boolean) => ({
    status: 200,
    body: { epoch, items: list, more, last: 3 },
  });
  return [
    new Conversation('push, answered; the answer was lost, and the same is sent again')
      .push(
        [one, two],
        answered(2, [
          [one, 'ok'],
          [two, 'ok'],
        ]),
      )
      .push(
        [one, two],
        answered(2, [
          [one, 'dup'],
          [two, 'dup'],
        ]),
      )
      .push(
        [two, three],
        answered(3, [
          [two, 'dup'],
          [three, 'ok'],
        ]),
      ).whole,
    new Conversation('the receiver was restored from a backup')
      .push([one], answered(1, [[one, 'ok']]))
      .push(
        [two, three],
        answered(3, [
          [two, 'ok'],
          [three, 'ok'],
        ]),
      )
      .push([four], outOfStep(1), { restored: 1 })
      .push(
        [renumbered(2, 2), renumbered(3, 3), four],
        answered(4, [
          [two, 'ok'],
          [three, 'ok'],
          [four, 'ok'],
        ]),
      ).whole,
    new Conversation(shortConversation)
      .push([skip(1)], answered(1, [[skip(1), 'ok']]))
      .push([skip(2)], answered(2, [[skip(2), 'ok']]))
      .push([skip(3)], outOfStep(1), { restored: 1 })
      .push(
        [skip(2, later), skip(3)],
        answered(3, [
          [skip(2), 'ok'],
          [skip(3), 'ok'],
        ]),
      ).whole,
    new Conversation('the receiver lost everything').push([three], outOfStep(0, 0)).push(
      [one, two, three],
      answered(3, [
        [one, 'ok'],
        [two, 'ok'],
        [three, 'ok'],
      ]),
    ).whole,
    new Conversation('the sender was restored: an answer beyond what it sent, then a new epoch')
      .push(
        [one, two, three, four],
        answered(4, [
          [one, 'ok'],
          [two, 'ok'],
          [three, 'ok'],
          [four, 'ok'],
        ]),
      )
      .push([message(3, {}, 33)], answered(4, [[message(3, {}, 33), 'ok']]))
      .push(
        [renumbered(1, 33), message(2, later, 34)],
        answered(
          2,
          [
            [message(1, {}, 33), 'dup'],
            [message(2, {}, 34), 'ok'],
          ],
          epoch + 60,
        ),
        { epoch: epoch + 60 },
      ).whole,
    new Conversation('epochs')
      .push([one], answered(1, [[one, 'ok']]))
      .push([two], outOfStep(1), { epoch: epoch - 1 })
      .push([two], outOfStep(1), { epoch: epoch + 1 })
      .push([three], outOfStep(1))
      .push([renumbered(1, 2)], answered(1, [[two, 'ok']], epoch + 1), { epoch: epoch + 1 })
      .push([renumbered(2, 3)], outOfStep(1, epoch + 1))
      .push([renumbered(2, 3)], answered(2, [[three, 'ok']], epoch + 1), { epoch: epoch + 1 }).whole,
    new Conversation('equal, of another content, older, erased')
      .push([state(1, 2, 'A')], answered(1, [[state(1, 2, 'A'), 'ok']]))
      .push([state(2, 2, 'A')], answered(2, [[state(2, 2, 'A'), 'dup']]))
      .push([state(3, 2, 'B')], answered(3, [[state(3, 2, 'B'), 'rejected', 'conflict']]))
      .push([state(4, 1, 'C')], answered(4, [[state(4, 1, 'C'), 'dup']]))
      .push(
        [state(5, 4, 'D'), state(6, 3, 'E')],
        answered(6, [
          [state(5, 4, 'D'), 'ok'],
          [state(6, 3, 'E'), 'dup'],
        ]),
      ).whole,
    new Conversation('erased beats what comes late, and an item that came before stays dup')
      .push(
        [one, erased],
        answered(2, [
          [one, 'ok'],
          [erased, 'ok'],
        ]),
      )
      .push([message(3, {}, 1)], answered(3, [[one, 'dup']]))
      .push([message(4, { rev: 3 }, 1)], answered(4, [[message(4, { rev: 3 }, 1), 'rejected', 'erased']]))
      .whole,
    new Conversation('a message that was never there is erased, and comes with the same push').push(
      [sign({ ...items.erased, seq: 1 }), message(2, {}, 1)],
      answered(2, [
        [erased, 'ok'],
        [one, 'rejected', 'erased'],
      ]),
    ).whole,
    new Conversation('what is refused is settled too, and a skip stands for what is not sent')
      .push(
        [one, message(2, { destination: 'third.example' }), sign({ ...items.skip, seq: 3 }), four],
        answered(4, [
          [one, 'ok'],
          [two, 'rejected', 'wrong_destination'],
          [items.skip, 'ok'],
          [four, 'ok'],
        ]),
      )
      .push([message(5)], answered(5, [[message(5), 'ok']])).whole,
    new Conversation('an item that cannot be read: its number is sent again as a skip')
      .push([one, { ...two, x: 1.5 }], refusedWith(400, 'bad_item', { index: 1 }))
      .push(
        [one, sign({ ...items.skip, seq: 2 })],
        answered(2, [
          [one, 'ok'],
          [items.skip, 'ok'],
        ]),
      ).whole,
    new Conversation('a request that comes twice')
      .push([one], answered(1, [[one, 'ok']]))
      .replay(1, refusedWith(401, 'replayed'))
      .push([one], answered(1, [[one, 'dup']])).whole,
    new Conversation('an act, and its result')
      .push([act], answered(1, [[act, 'ok']]))
      .back([result], answered(1, [[result, 'ok']])).whole,
    new Conversation('the log is asked for', held)
      .get(`/items?epoch=${epoch}&after=0&limit=2`, page(theirs.slice(0, 2), true))
      .get(`/items?epoch=${epoch}&after=2&limit=50`, page(theirs.slice(2), false))
      .get(`/items?epoch=${epoch}&after=3&limit=50`, page([], false))
      .get('/items?epoch=1&after=0', refusedWith(409, 'out_of_step', { epoch, seq: 3 }))
      .get(`/items?epoch=x&after=0`, refusedWith(400, 'bad_batch')).whole,
    new Conversation('the log of a home that never sent anything').get('/items?epoch=0&after=0&limit=50', {
      status: 200,
      body: { epoch: 0, items: [], more: false, last: 0 },
    }).whole,
  ];
}
