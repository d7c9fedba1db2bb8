import { type KeyPair, signRecord } from '@hearth/signing';
import { withFlippedBit } from './forge.ts';
import {
  envelope,
  homeKey,
  issuedAt,
  nextKey,
  now,
  recoveryKey,
  requestKey,
  retiredKey,
  revokedKey,
  strangerKey,
} from './material.ts';
import { reader } from './request-vectors.ts';

export interface ItemCase {
  name: string;
  item: unknown;
  status: 'ok' | 'rejected';
  code?: string;
  /** With `schema`: the path of the wrong member. */
  path?: string;
  /** For valid items: hex of the SHA-256 by which two items are equal. */
  digest?: string;
}

/** The kinds of states and the operations of acts that the vectors' reader knows. */
export const kinds = ['ask'];
export const operations = ['reply_approval', 'sign_agreement'];

type Item = Record<string, unknown>;
const typ = 'svc-envelope+jws';
export const sign = (item: Item, key: KeyPair = homeKey.pair): Item => signRecord(item, { key, typ });
const after = (ms: number, from = now) => new Date(Date.parse(from) + ms).toISOString();
const day = 86_400_000;

const bare = { v: 1, rev: 1, seq: 1, origin: 'home.example', destination: reader.home };
const times = { issued_at: issuedAt, expires_at: '2026-01-29T10:00:00.000Z' };
const { from, sender, to } = envelope;
const ref = (id: string, home = 'home.example') => `r:${home}:${id}`;

/** A valid item of each type that a home may send. */
export const items = {
  message: { ...envelope, seq: 1 },
  state: {
    ...{ ...bare, type: 'state', id: ref('apr_7'), rev: 2, to, ...times },
    body: {
      kind: 'ask',
      object: {
        id: ref('apr_7'),
        title: 'May we?',
        choices: ['Yes', 'No'],
        requested_by: 'ana@home.example',
      },
    },
  },
  act: {
    ...{ ...bare, type: 'act', id: ref('act_7'), from, sender, ...times },
    body: {
      ...{ on: ref('apr_8', reader.home), operation: 'reply_approval' },
      request: { decision: 'approved', ask_digest: 'sha256:x' },
      ...{ seen_rev: 1, by: 'ai', proof: 'key', via: 'mcp' },
    },
  },
  result: {
    ...{ ...bare, type: 'result', id: ref('res_7'), ...times },
    body: { act: ref('act_9', reader.home), status: 200, answer: { status: 'approved' } },
  },
  erased: {
    ...{ ...bare, type: 'erased', id: ref('era_7'), ...times },
    body: { id: ref('msg_1'), rev: 2 },
  },
  notice: {
    ...{ ...bare, type: 'notice', id: ref('not_7'), ...times },
    body: { kind: 'card_changed', address: 'ana@home.example', id: 'per_1' },
  },
  skip: { ...{ ...bare, type: 'skip', id: ref('skip_7'), ...times }, body: {} },
} satisfies Record<string, Item>;

const ok = (name: string, item: unknown): ItemCase => ({ name, item, status: 'ok' });
/** The changed member of each item, which is at fault unless stated otherwise. */
const changed = new WeakMap<object, string>();
const rejected = (
  name: string,
  item: unknown,
  code: string,
  path = changed.get(item as object) ?? '',
): ItemCase => ({ name, item, status: 'rejected', code, ...(code === 'schema' && { path }) });

type Name = keyof typeof items;
/** Changes one member of an item or of its body; undefined removes it. */
function but(type: Name, change: Item): Item {
  const item = sign({ ...items[type], ...change });
  changed.set(item, Object.keys(change)[0]!);
  return item;
}
function body(type: Name, change: Item): Item {
  const item = sign({ ...items[type], body: { ...items[type].body, ...change } });
  changed.set(item, `body.${Object.keys(change)[0]}`);
  return item;
}
/** Returns a message with one member of its sender changed. */
function by(change: Item, from: Item = {}): Item {
  const item = sign({ ...items.message, ...from, sender: { ...items.message.sender, ...change } });
  changed.set(item, `sender.${Object.keys(change)[0]}`);
  return item;
}

/** Items from home.example to other.example: each rule of docs/protocol/items.md, kept and broken. */
export function itemCases(): ItemCase[] {
  return [
    ...Object.entries(items).map(([type, item]) => ok(type, sign(item))),
    ...signatureCases(),
    ...headCases(),
    ...timeCases(),
    ...addressCases(),
    ...senderCases(),
    ...bodyCases(),
  ];
}

function signatureCases(): ItemCase[] {
  const good = sign(items.message) as Item & { signature: { protected: string; signature: string } };
  const longAgo = { issued_at: '2026-01-12T00:00:00Z', expires_at: '2026-01-20T00:00:00Z' };
  const byKey = (name: string, key: typeof homeKey, code = 'bad_signature', change: Item = {}) =>
    rejected(name, sign({ ...items.message, ...change }, key.pair), code);
  return [
    ok('signed by a retired key while it was valid', sign({ ...items.message, ...longAgo }, retiredKey.pair)),
    byKey('signed by a retired key after its end', retiredKey),
    byKey('signed by the next key', nextKey),
    byKey('signed by a revoked key, before its revocation', revokedKey),
    byKey('signed by the recovery key', recoveryKey),
    byKey('signed by a key for requests alone', requestKey),
    byKey('signed by a key that is not listed', strangerKey),
    rejected('without a signature', items.message, 'bad_signature'),
    rejected('changed after signing', { ...good, rev: 2 }, 'bad_signature'),
    rejected('with a member added after signing', { ...good, note: 'x' }, 'bad_signature'),
    rejected('renumbered after signing', { ...good, seq: 2 }, 'bad_signature'),
    rejected(
      'with a broken signature',
      { ...good, signature: { ...good.signature, signature: withFlippedBit(good.signature.signature, 3) } },
      'bad_signature',
    ),
    rejected(
      'signed as a record',
      signRecord(items.message, { key: homeKey.pair, typ: 'svc-record+jws' }),
      'bad_signature',
    ),
    ok('with co_signatures, which anybody may add', { ...good, co_signatures: [1] }),
    ok('with members that nobody knows', sign({ ...items.message, later: { x: 1 } })),
    rejected('of no origin', but('message', { origin: undefined }), 'bad_signature'),
    rejected(
      'of another origin, by its own key',
      sign({ ...items.message, origin: 'third.example' }, strangerKey.pair),
      'wrong_origin',
    ),
  ];
}

function headCases(): ItemCase[] {
  return [
    rejected(
      'with the id of another home',
      but('message', { id: ref('msg_1', 'third.example') }),
      'wrong_origin',
    ),
    rejected(
      'a state with the id of another home',
      but('state', { id: ref('apr_7', 'third.example') }),
      'wrong_origin',
    ),
    rejected('with an id that is no reference', but('message', { id: 'msg_1' }), 'schema'),
    rejected('with an id of 65 letters', but('message', { id: ref('m'.repeat(65)) }), 'schema'),
    ok('with an id of 64 letters', but('message', { id: ref('m'.repeat(64)) })),
    rejected('without an id', but('skip', { id: undefined }), 'schema'),
    rejected('for another home', but('message', { destination: 'third.example' }), 'wrong_destination'),
    rejected('for no home', but('skip', { destination: undefined }), 'wrong_destination'),
    rejected('v 2', but('message', { v: 2 }), 'schema'),
    rejected('v as a text', but('message', { v: '1' }), 'schema'),
    rejected('without v', but('skip', { v: undefined }), 'schema'),
    rejected('without seq', but('skip', { seq: undefined }), 'schema'),
    rejected('seq 0', but('skip', { seq: 0 }), 'schema'),
    rejected('rev 0', but('message', { rev: 0 }), 'schema'),
    rejected('rev -1', but('message', { rev: -1 }), 'schema'),
    rejected('rev as a text', but('message', { rev: '1' }), 'schema'),
    rejected('without rev', but('message', { rev: undefined }), 'schema'),
    ok('rev 2^53 - 1', but('state', { rev: Number.MAX_SAFE_INTEGER })),
    rejected('of a type that nobody knows', but('message', { type: 'greeting' }), 'unknown_type'),
    rejected('of no type', but('skip', { type: undefined }), 'unknown_type'),
    rejected('without a body', but('skip', { body: undefined }), 'schema'),
    rejected('whose body is a list', but('skip', { body: [] }), 'schema'),
    ok('of 65,536 bytes', ofBytes(65_536)),
    rejected('of 65,537 bytes', ofBytes(65_537), 'too_large'),
  ];
}

/** Returns a message of this many bytes. */
function ofBytes(bytes: number): Item {
  const texted = (text: string) => sign({ ...items.message, body: { ...items.message.body, text } });
  const left = bytes - Buffer.byteLength(JSON.stringify(texted('e')));
  return texted(`e${'é'.repeat(left >> 1)}${'e'.repeat(left & 1)}`);
}

function timeCases(): ItemCase[] {
  const timed = (issued_at: unknown, expires_at: unknown) => but('message', { issued_at, expires_at });
  const until = after(day);
  return [
    ok('issued 5 minutes ahead', timed(after(300_000), until)),
    rejected('issued 5 minutes and a millisecond ahead', timed(after(300_001), until), 'clock'),
    ok('a millisecond left', timed(issuedAt, after(1))),
    rejected('at the moment at which it expires', timed(issuedAt, now), 'expired'),
    rejected('expired', timed(issuedAt, after(-1)), 'expired'),
    ok('for 14 days', timed(issuedAt, after(14 * day, issuedAt))),
    rejected(
      'for 14 days and a millisecond',
      timed(issuedAt, after(14 * day + 1, issuedAt)),
      'schema',
      'expires_at',
    ),
    rejected('without issued_at', timed(undefined, until), 'schema'),
    rejected('without expires_at', timed(issuedAt, undefined), 'schema', 'expires_at'),
    rejected('expires_at null', timed(issuedAt, null), 'schema', 'expires_at'),
    rejected('issued on 30 February', timed('2025-02-30T00:00:00Z', until), 'schema'),
    rejected(
      'expires_at with an offset',
      timed(issuedAt, '2026-01-20T00:00:00+00:00'),
      'schema',
      'expires_at',
    ),
    rejected('expires_at in seconds', timed(issuedAt, 1_769_000_000), 'schema', 'expires_at'),
  ];
}

function addressCases(): ItemCase[] {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `ole${at}@${reader.home}`);
  const sent = (name: string, recipients: unknown, path?: string) =>
    rejected(name, but('message', { to: recipients }), 'schema', path);
  return [
    rejected('from another home', but('message', { from: 'ana@third.example' }), 'wrong_origin'),
    rejected('from nowhere', but('message', { from: undefined }), 'schema'),
    rejected('from an address that is none', but('message', { from: 'ana' }), 'schema'),
    rejected('from an address without its home', but('message', { from: '@ana' }), 'schema'),
    rejected('from an address in another form', but('message', { from: '@ana@home.example' }), 'schema'),
    rejected('an act from nowhere', but('act', { from: undefined }), 'schema'),
    rejected('a message from a group', but('message', { from: '&club@home.example' }), 'schema'),
    ok('a message from the AI of a group', but('message', { from: '&club.ai-group@home.example' })),
    rejected('a state without a from, of a sender', but('state', { from: undefined, sender }), 'schema'),
    rejected('a state from an AI without a sender', but('state', { sender: undefined, from }), 'schema'),
    ok('a state from an AI', but('state', { from, sender })),
    rejected(
      'a message from nobody at all',
      but('message', { from: undefined, sender: undefined }),
      'schema',
    ),
    rejected('an act of nobody at all', but('act', { from: undefined, sender: undefined }), 'schema'),
    rejected('a message without a sender', but('message', { sender: undefined }), 'schema'),
    rejected('an act without a sender', but('act', { sender: undefined }), 'schema'),
    rejected('a message whose sender is a text', but('message', { sender: 'ai_1' }), 'schema'),
    rejected('a state whose sender is a text', but('state', { sender: 'ai_1', from }), 'schema'),
    rejected('a result from another home', but('result', { from: 'ana@third.example' }), 'wrong_origin'),
    ok('to 20 addresses', but('message', { to: many(20) })),
    sent('to 21 addresses', many(21)),
    sent('a message to nobody', []),
    sent('a message without `to`', undefined),
    rejected('a state to nobody', but('state', { to: [] }), 'schema'),
    ok('an act with `to`', but('act', { to })),
    ok('to a group', but('message', { to: [`&club@${reader.home}`] })),
    sent('to a text', `ole@${reader.home}`),
    sent('to an address of another home', ['ole@third.example'], 'to[0]'),
    sent('to an address of its own', ['ole@home.example'], 'to[0]'),
    sent('to one address twice', [`ole@${reader.home}`, `ole@${reader.home}`]),
    sent('to an address in another form', [`@ole@${reader.home}`], 'to[0]'),
    sent('to an address in capitals', [`Ole@${reader.home}`], 'to[0]'),
    sent('to an address without its home', ['@ole'], 'to[0]'),
    sent('to an address and a number', [`ole@${reader.home}`, 1], 'to[1]'),
    rejected(
      'a notice to an address of another home',
      but('notice', { to: ['ole@third.example'] }),
      'schema',
      'to[0]',
    ),
  ];
}

/** A person who sends an act. */
const anna = { id: 'per_1', kind: 'person', name: 'Ana', name_verified: true, status: 'person' };

function senderCases(): ItemCase[] {
  const wrong = (name: string, change: Item, path?: string) => rejected(name, by(change), 'schema', path);
  const unowned = { owner: undefined, status: 'unclaimed' };
  const atHome = { from: 'ana@home.example' };
  const asPerson = (change: Item) => {
    const item = sign({ ...items.message, ...atHome, sender: { ...anna, ...change } });
    changed.set(item, `sender.${Object.keys(change)[0]}`);
    return item;
  };
  return [
    ok('from a person', asPerson({})),
    ok('from an AI without an owner', by(unowned)),
    ok('from an AI that others vouch for', by({ ...unowned, status: 'vouched' })),
    ok('from an AI whose owner keeps their name private', by({ owner: undefined, owner_private: true })),
    wrong('a sender without an id', { id: undefined }),
    wrong('a sender with a space in the id', { id: 'ai 1' }),
    wrong('a sender with an empty id', { id: '' }),
    ok('a sender with an id of 64 letters', by({ id: 'a'.repeat(64) })),
    wrong('a sender with an id of 65 letters', { id: 'a'.repeat(65) }),
    wrong('a sender of no kind', { kind: undefined }),
    wrong('a sender of a kind that is none', { kind: 'group' }),
    wrong('an AI that says it is a person', { kind: 'person' }),
    rejected('a person who says to be an AI', asPerson({ kind: 'ai' }), 'schema'),
    wrong('a sender without a name', { name: undefined }),
    wrong('a sender with an empty name', { name: '' }),
    ok('a sender with a name of 100 characters', by({ name: '\u{1F600}'.repeat(100) })),
    wrong('a sender with a name of 101 characters', { name: 'a'.repeat(101) }),
    wrong('a sender with a name of two lines', { name: 'a\nb' }),
    wrong('a sender without name_verified', { name_verified: undefined }),
    wrong('a sender with name_verified as a text', { name_verified: 'yes' }),
    wrong('an AI without a status', { status: undefined }),
    wrong('an AI with the status person', { status: 'person', owner: undefined }),
    wrong('an AI with a status that is none', { status: 'boss' }),
    rejected('a person with the status of an AI', asPerson({ status: 'vouched' }), 'schema'),
    wrong('a claimed AI without an owner', { owner: undefined }),
    wrong('a claimed AI with an owner who is private', { owner_private: true }, 'sender.owner'),
    wrong('a claimed AI with owner_private false', { owner_private: false }),
    wrong('an owner as a text', { owner: 'ana@home.example' }),
    wrong('an owner at a third home', owned('ana@third.example'), 'sender.owner.address'),
    wrong('an owner at the home that gets it', owned(`ana@${reader.home}`), 'sender.owner.address'),
    wrong('an owner who is an AI', owned('ana.ai-b@home.example'), 'sender.owner.address'),
    wrong('an owner without a home', owned('@ana'), 'sender.owner.address'),
    wrong('an owner without a name', { owner: { address: 'ana@home.example' } }, 'sender.owner.name'),
    wrong('an unclaimed AI with an owner', { status: 'unclaimed' }, 'sender.owner'),
    wrong('an unclaimed AI whose owner is private', { owner_private: true, ...unowned }),
    rejected(
      'a person with an owner',
      asPerson({ owner: { address: 'ana@home.example', name: 'Ana' } }),
      'schema',
    ),
  ];
}

const owned = (address: string) => ({ owner: { address, name: 'Ana' } });

/** Cases of an owner's approval beside the AI's signature of an agreement. */
function ownerCases(): ItemCase[] {
  const signs = (owner_approved: unknown, change: Item = {}) =>
    body('act', { owner_approved, operation: 'sign_agreement', via: 'home', ...change });
  const byPerson = { by: 'person', proof: 'tap', via: 'web' };
  const byAi = { by: 'ai', proof: 'key', via: 'mcp' };
  const wrong = (name: string, item: Item, path: string) =>
    rejected(name, item, 'schema', `body.owner_approved${path}`);
  return [
    ...['tap', 'passkey', 'email'].map((proof) =>
      ok(`an owner approves a signature by ${proof}`, signs({ ...byPerson, proof })),
    ),
    ok('an AI approves a signature for its owner', signs({ ...byAi, ai: 'ana.ai-b@home.example' })),
    ok('an AI whose owner is private approves a signature', signs(byAi)),
    wrong('an owner approves a signature by a key', signs({ ...byPerson, proof: 'key' }), '.proof'),
    wrong('an AI approves a signature by a tap', signs({ ...byAi, proof: 'tap' }), '.proof'),
    wrong('an owner approves by a proof that is none', signs({ ...byPerson, proof: 'blood' }), '.proof'),
    wrong('an owner approves without a proof', signs({ ...byPerson, proof: undefined }), '.proof'),
    wrong('an owner approves via what is no way', signs({ ...byPerson, via: 'pigeon' }), '.via'),
    wrong('a rule approves a signature', signs({ ...byAi, by: 'rule' }), '.by'),
    wrong('an owner approves by a text', signs('tap'), ''),
    wrong('a person approves as an AI', signs({ ...byPerson, ai: 'ana.ai-b@home.example' }), '.ai'),
    wrong('an AI of another home approves', signs({ ...byAi, ai: 'ana.ai-b@third.example' }), '.ai'),
    wrong('a person is the AI that approves', signs({ ...byAi, ai: 'ana@home.example' }), '.ai'),
    wrong('an owner approves an answer', signs(byPerson, { operation: 'reply_approval' }), ''),
    wrong(
      'an owner approves the signature of a person',
      sign({
        ...{ ...items.act, from: 'ana@home.example', sender: { ...anna } },
        body: {
          ...items.act.body,
          operation: 'sign_agreement',
          by: 'person',
          proof: 'tap',
          owner_approved: byPerson,
        },
      }),
      '',
    ),
  ];
}

function bodyCases(): ItemCase[] {
  const wrong = (name: string, type: Name, change: Item, code = 'schema', path?: string) =>
    rejected(name, body(type, change), code, path);
  const person = { from: 'ana@home.example', sender: { ...anna } };
  const act = (change: Item, from: Item = person) => {
    const item = sign({ ...items.act, ...from, body: { ...items.act.body, ...change } });
    changed.set(item, `body.${Object.keys(change)[0]}`);
    return item;
  };
  const object = { ...items.state.body.object, id: ref('apr_6') };
  return [
    wrong('a message without a thread', 'message', { thread: undefined }),
    wrong('a message whose thread is no reference', 'message', { thread: 'thr_1' }),
    wrong('a message in a thread of a third home', 'message', { thread: ref('thr_1', 'third.example') }),
    ok(
      'a message in a thread of the home that gets it',
      body('message', { thread: ref('thr_1', reader.home) }),
    ),
    ok('a message that answers', body('message', { reply_to: ref('msg_0', reader.home) })),
    wrong('a message that answers one of a third home', 'message', {
      reply_to: ref('msg_0', 'third.example'),
    }),
    wrong('a message that answers what is no reference', 'message', { reply_to: 'msg_0' }),
    wrong('a message with a number as title', 'message', { title: 1 }),
    wrong('a message with an empty title', 'message', { title: '' }),
    wrong('a message with an empty text', 'message', { text: '' }),
    wrong('a message without request_kind', 'message', { request_kind: undefined }),
    wrong('a message of a request_kind that is none', 'message', { request_kind: 'spam' }),
    wrong('a message whose data_json is an object', 'message', { data_json: { a: 1 } }),
    wrong('a message whose data_json is no JSON', 'message', { data_json: '{' }),
    wrong('a message whose data_json is a list', 'message', { data_json: '[1]' }),
    wrong('a message whose data_json has a member twice', 'message', { data_json: '{"a":1,"a":2}' }),
    wrong('a message whose data_json has __proto__', 'message', { data_json: '{"a":[{"__proto__":1}]}' }),
    ok('a post of a group', body('message', { group: ref('grp_1') })),
    wrong('a post of what is no group', 'message', { group: 'grp_1' }),
    wrong('a message without a text', 'message', { text: undefined }),
    wrong('a message whose text is a number', 'message', { text: 1 }),
    wrong('a state of a kind that nobody knows', 'state', { kind: 'dance' }),
    wrong('a state of no kind', 'state', { kind: undefined }),
    wrong('a state of a kind in every object of a program', 'state', { kind: 'constructor' }),
    wrong('a state without an object', 'state', { object: undefined }),
    wrong('a state whose object is a list', 'state', { object: [] }),
    wrong('a state whose object has another id', 'state', { object }, 'schema', 'body.object.id'),
    ok('the last state', body('state', { object: { ...items.state.body.object, final: true } })),
    wrong(
      'a state whose final is a text',
      'state',
      { object: { ...items.state.body.object, final: 'yes' } },
      'schema',
      'body.object.final',
    ),
    wrong('an act on an object of its own home', 'act', { on: ref('apr_8') }, 'wrong_destination'),
    wrong(
      'an act on an object of a third home',
      'act',
      { on: ref('apr_8', 'third.example') },
      'wrong_destination',
    ),
    wrong('an act on what is no reference', 'act', { on: 'apr_8' }),
    wrong(
      'an act of an operation that does not travel',
      'act',
      { operation: 'send_message' },
      'unknown_operation',
    ),
    wrong('an act of no operation', 'act', { operation: undefined }),
    wrong('an act without a request', 'act', { request: undefined }),
    wrong('an act whose request is a list', 'act', { request: [] }),
    wrong('an act by nobody', 'act', { by: undefined }),
    wrong('an act by an operator', 'act', { by: 'operator' }),
    wrong('an act that saw the rev 0', 'act', { seen_rev: 0 }),
    ok('an act by an AI', body('act', { by: 'ai', proof: 'key', via: 'mcp' })),
    ok(
      'an act for a person',
      body('act', { for: { id: 'per_1', address: 'ana@home.example', name: 'Ana' } }),
    ),
    ok(
      'an act for a person without a name',
      body('act', { for: { id: 'per_1', address: 'ana@home.example' } }),
    ),
    wrong('an act for a text', 'act', { for: 'ana@home.example' }),
    wrong(
      'an act for a person of another home',
      'act',
      { for: { id: 'per_1', address: 'ana@third.example' } },
      'schema',
      'body.for.address',
    ),
    wrong(
      'an act for an AI',
      'act',
      { for: { id: 'ai_1', address: 'ana.ai-b@home.example' } },
      'schema',
      'body.for.address',
    ),
    wrong(
      'an act for somebody without an id',
      'act',
      { for: { address: 'ana@home.example' } },
      'schema',
      'body.for.id',
    ),
    rejected(
      'a person acts for another one',
      act({ for: { id: 'per_2', address: 'bea@home.example' }, by: 'person', proof: 'tap' }),
      'schema',
    ),
    rejected('a person acts as an AI', act({ by: 'ai' }), 'schema'),
    wrong('an AI acts as a person', 'act', { by: 'person', proof: 'tap' }),
    ok('an act by a rule', body('act', { by: 'rule', proof: 'key', via: 'home' })),
    ...['tap', 'passkey', 'email'].map((proof) => ok(`an act by ${proof}`, act({ proof, by: 'person' }))),
    ...['web', 'mcp', 'api', 'app', 'home'].map((via) => ok(`an act via ${via}`, body('act', { via }))),
    ...ownerCases(),
    rejected('an act without a proof', act({ proof: undefined, by: 'person' }), 'schema'),
    rejected('an act with a list of proofs', act({ proof: ['tap'], by: 'person' }), 'schema'),
    wrong('an act with a list of ways', 'act', { via: ['web'] }),
    rejected('an act with a proof that is none', act({ proof: 'blood', by: 'person' }), 'schema'),
    wrong('an act without a via', 'act', { via: undefined }),
    wrong('an act via what is no way', 'act', { via: 'pigeon' }),
    rejected('a person acts by a key', act({ proof: 'key', by: 'person' }), 'schema'),
    wrong('an AI answers by a tap', 'act', { proof: 'tap' }),
    wrong('an AI signs an agreement by a tap', 'act', { proof: 'tap', operation: 'sign_agreement' }),
    wrong('a rule answers by a tap', 'act', { proof: 'tap', by: 'rule', via: 'home' }),
    ...['tap', 'key'].map((proof) =>
      wrong(`a rule signs an agreement by a ${proof}`, 'act', {
        ...{ operation: 'sign_agreement', by: 'rule', proof, via: 'home' },
      }),
    ),
    wrong('a result to an act of its own home', 'result', { act: ref('act_9') }, 'wrong_destination'),
    wrong('a result to no act', 'result', { act: undefined }),
    wrong('a result without a status', 'result', { status: undefined }),
    wrong('a result whose status is a text', 'result', { status: '200' }),
    wrong('a result whose status is none of HTTP', 'result', { status: 2_000 }),
    wrong('a result whose answer is a list', 'result', { answer: [] }),
    wrong('a refusal without an error', 'result', { status: 403 }, 'schema', 'body.error'),
    wrong('a refusal whose error is a text', 'result', { error: 'No', status: 403 }),
    wrong(
      'a refusal whose error says nothing',
      'result',
      { error: { code: 'x' }, status: 403 },
      'schema',
      'body.error.error',
    ),
    wrong('a success with an error', 'result', { error: { error: 'No' } }),
    ok(
      'a result that is an error',
      body('result', { status: 403, answer: undefined, error: { error: 'No', code: 'x' } }),
    ),
    wrong(
      'erased: an object of another home',
      'erased',
      { id: ref('msg_1', 'third.example') },
      'wrong_origin',
    ),
    wrong('erased: no reference', 'erased', { id: 'msg_1' }),
    wrong('erased without a rev', 'erased', { rev: undefined }),
    wrong('erased with the rev 0', 'erased', { rev: 0 }),
    ok('a notice of a kind that nobody knows', body('notice', { kind: 'later' })),
    wrong('a notice of no kind', 'notice', { kind: undefined }),
    wrong('a notice whose kind is a sentence', 'notice', { kind: 'Hello there' }),
    wrong('card_changed without an address', 'notice', { address: undefined }),
    wrong('card_changed at another home', 'notice', { address: 'ana@third.example' }),
    wrong('card_changed without an id', 'notice', { id: undefined }),
    ok('gone', body('notice', { kind: 'gone' })),
    ok('moved', body('notice', { kind: 'moved', was: 'anna@home.example' })),
    wrong('moved from nowhere', 'notice', { was: undefined, kind: 'moved' }),
    wrong('moved from another home', 'notice', { was: 'ana@third.example', kind: 'moved' }),
    ok(
      'key_revoked',
      body('notice', { kind: 'key_revoked', kid: revokedKey.pair.kid, revoked_at: issuedAt }),
    ),
    wrong('key_revoked without a time', 'notice', {
      ...{ revoked_at: undefined, kind: 'key_revoked', kid: revokedKey.pair.kid },
    }),
    wrong('key_revoked of what is no key', 'notice', {
      ...{ kid: 'key 1', kind: 'key_revoked', revoked_at: issuedAt },
    }),
    wrong('key_revoked of a kid that is a number', 'notice', {
      ...{ kid: 7, kind: 'key_revoked', revoked_at: issuedAt },
    }),
    ok('a skip with a body', body('skip', { why: 'expired' })),
  ];
}
