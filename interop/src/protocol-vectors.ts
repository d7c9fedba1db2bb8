import { createHash, createHmac } from 'node:crypto';
import { canonicalize, digest, signBytes } from '@hearth/signing';
import { allKeys, homeKey, requestKey } from './material.ts';

/** Texts with their kind, canonical form at home.example and full form; null where the text is not an address. */
const addresses: [text: string, kind: string | null, canonical?: string, full?: string][] = [
  ['@ana', 'person', '@ana', 'ana@home.example'],
  ['@Ana', 'person', '@ana', 'ana@home.example'],
  ['ana@home.example', 'person', '@ana', 'ana@home.example'],
  ['@ana@home.example', 'person', '@ana', 'ana@home.example'],
  ['ANA@HOME.EXAMPLE', 'person', '@ana', 'ana@home.example'],
  ['ana@other.example', 'person', 'ana@other.example', 'ana@other.example'],
  ['@ana@other.example', 'person', 'ana@other.example', 'ana@other.example'],
  ['@ana.ai-helper', 'ai', '@ana.ai-helper', 'ana.ai-helper@home.example'],
  ['@ana.AI-Helper', 'ai', '@ana.ai-helper', 'ana.ai-helper@home.example'],
  ['ana.ai-helper@other.example', 'ai', 'ana.ai-helper@other.example', 'ana.ai-helper@other.example'],
  ['@free-a1b2c3.ai-x', 'ai', '@free-a1b2c3.ai-x', 'free-a1b2c3.ai-x@home.example'],
  ['@a-b.ai-ai-ai', 'ai', '@a-b.ai-ai-ai', 'a-b.ai-ai-ai@home.example'],
  ['&book-club', 'group', '&book-club', '&book-club@home.example'],
  ['&book-club@home.example', 'group', '&book-club', '&book-club@home.example'],
  ['&book-club@other.example', 'group', '&book-club@other.example', '&book-club@other.example'],
  ['&book-club.ai-group', 'ai', '&book-club.ai-group', '&book-club.ai-group@home.example'],
  ['&club.ai-group@other.example', 'ai', '&club.ai-group@other.example', '&club.ai-group@other.example'],
  [`@${'a'.repeat(30)}`, 'person', `@${'a'.repeat(30)}`, `${'a'.repeat(30)}@home.example`],
  ['@---', 'person', '@---', '---@home.example'],
  ['@123', 'person', '@123', '123@home.example'],
  ['ana@xn--bcher-kva.example', 'person', 'ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
  ['', null],
  ['@', null],
  ['&', null],
  ['ana', null],
  ['@an', null],
  [`@${'a'.repeat(31)}`, null],
  ['@ana.helper', null],
  ['@ana.ai-', null],
  [`@ana.ai-${'a'.repeat(31)}`, null],
  ['@ana.ai_helper', null],
  ['@an_a', null],
  ['@aná', null],
  ['@ana\u0301', null],
  ['＠ana', null],
  [' @ana', null],
  ['@ana ', null],
  ['@ana\n', null],
  ['@ana\u200b', null],
  ['@@ana', null],
  ['@&ana', null],
  ['&@ana', null],
  ['ana@', null],
  ['@ana@', null],
  ['@home.example', null],
  ['ana@localhost', null],
  ['ana@1.2.3.4', null],
  ['ana@[::1]', null],
  ['ana@other.example:443', null],
  ['ana@other.example.', null],
  ['ana@.example', null],
  ['ana@other..example', null],
  ['ana@-other.example', null],
  ['ana@other-.example', null],
  ['ana@oth_er.example', null],
  ['ana@bücher.example', null],
  ['ana@ana@other.example', null],
  ['mailto:ana@other.example', null],
  ['https://home.example/@ana', null],
  ['KKK'.replace('K', '\u212a'), null],
  ['@\u212aKK', null],
];

const homes: [text: string, valid: boolean][] = [
  ['home.example', true],
  ['a.b', true],
  ['1.2.3.example', true],
  ['xn--bcher-kva.example', true],
  ['xn--.example', false],
  ['xn--0.example', true],
  [`${'a'.repeat(63)}.example`, true],
  [`${'a'.repeat(64)}.example`, false],
  [`${'a.'.repeat(126)}a`, true],
  [`${'a.'.repeat(127)}aa`, false],
  ['Home.example', false],
  ['example', false],
  ['home.example.', false],
  ['home.example:8080', false],
  ['localhost:8081', false],
  ['1.2.3.4', false],
  ['1.2.3.0x7f', false],
  ['home.1example', false],
  ['-home.example', false],
  ['home-.example', false],
  ['bücher.example', false],
  ['', false],
];

const id = 'msg_019bc0f0a1b27c3d8e4f5a6b7c8d9e04';
const references: [text: string, home: string | null, id?: string][] = [
  [`r:home.example:${id}`, 'home.example', id],
  ['r:other.example:A-z_0', 'other.example', 'A-z_0'],
  [`r:other.example:${'x'.repeat(64)}`, 'other.example', 'x'.repeat(64)],
  [`r:other.example:${'x'.repeat(65)}`, null],
  [id, null],
  ['r:other.example:', null],
  ['r::x', null],
  ['r:x', null],
  ['R:other.example:x', null],
  ['r:Other.example:x', null],
  ['r:localhost:x', null],
  ['r:other.example:x y', null],
  ['r:other.example:x:y', null],
  [' r:other.example:x', null],
];

const slugs: [name: string, slug: string][] = [
  ['Helper', 'helper'],
  ['Zoë’s Bot', 'zoes-bot'],
  ["Zoë's Bot", 'zoes-bot'],
  ['Zoë‘s Bot', 'zoe-s-bot'],
  ['Zoë`s Bot', 'zoe-s-bot'],
  ['Zoëʼs Bot', 'zoe-s-bot'],
  ['Straße', 'strasse'],
  ['Æsir & Œuvre', 'aesir-oeuvre'],
  ['Łódź', 'lodz'],
  ['ﬁne ①', 'fine-1'],
  ['  --A  B--  ', 'a-b'],
  ['日本', 'ai'],
  ['', 'ai'],
  ['!?', 'ai'],
  ['a'.repeat(40), 'a'.repeat(30)],
  [`${'a'.repeat(29)} b`, 'a'.repeat(29)],
  ['İstanbul', 'istanbul'],
];

function asks() {
  const people = (...to: string[]) => to.map((one) => ({ to: one }));
  const shown: [name: string, ask: Record<string, unknown>, of: Record<string, unknown>][] = [
    [
      'a yes or no',
      { title: 'May I?', choices: [], people: people('@bea') },
      { title: 'May I?', to: ['@bea'] },
    ],
    [
      'with details and choices',
      {
        title: 'Which train?',
        details: 'The\nearly one',
        choices: ['9:30', '11:00'],
        people: people('@bea', '@bob'),
      },
      { title: 'Which train?', details: 'The\nearly one', choices: ['9:30', '11:00'], to: ['@bea', '@bob'] },
    ],
    [
      'with details that are empty',
      { title: 'May I?', details: '', choices: [], people: people('@bea') },
      { title: 'May I?', details: '', to: ['@bea'] },
    ],
    [
      'for a typed answer, of a person under 18 and of an address for mail',
      {
        title: 'Name?',
        free_text: true,
        choices: [],
        people: people(`shp_${'0'.repeat(32)}`, 'bob@mail.example'),
      },
      { title: 'Name?', free_text: true, to: ['under-18', 'bob@mail.example'] },
    ],
    [
      'about an item of an app',
      { title: 'Photo?', item_ref: ' x/1 ', preview: 'A boat', choices: [], people: people('@bea') },
      { title: 'Photo?', item_ref: ' x/1 ', preview: 'A boat', to: ['@bea'] },
    ],
  ];
  return shown.map(([name, ask, of]) => {
    const { title, details, choices, free_text = false, preview, item_ref, to } = of;
    const thing = { title, details, choices, free_text, preview, item_ref, to };
    return {
      name,
      ask: { free_text, ...ask },
      canonical: canonicalize(thing),
      digest: digest(thing),
    };
  });
}

const seconds = 1_768_471_200;
const receiver = 'https://robin.example/hooks';

function webhooks() {
  const secret = `whsec_${createHash('sha256').update('hearth vectors: webhook').digest('base64')}`;
  const other = `whsec_${createHash('sha256').update('hearth vectors: another webhook').digest('base64')}`;
  const message = 'apr_019bc0f0a1b27c3d8e4f5a6b7c8d9e02';
  const body = `{"to":"${receiver}","status":"approved","title":"Zoë’s \\"hall\\""}`;
  const content = (text = body) => `${message}.${seconds}.${text}`;
  const v1 = (by: string, text = body) =>
    `v1,${createHmac('sha256', Buffer.from(by.slice(6), 'base64'))
      .update(content(text))
      .digest('base64')}`;
  const v1a = (key: typeof homeKey, text = body) =>
    `v1a,${signBytes(key.pair.privateKey, Buffer.from(content(text))).toString('base64')}`;
  const moved = body.replace('robin', 'mallory');
  const nameless = '{"status":"approved"}';
  const usual = { to: receiver, now: seconds, id: message, timestamp: String(seconds), body };
  const one = (name: string, valid: boolean, signature: string, but: object = {}) => ({
    name,
    ...usual,
    ...but,
    signature,
    valid,
  });
  return {
    secret,
    keys: [homeKey].map(({ pair }) => ({ kty: 'OKP', crv: 'Ed25519', x: pair.x, kid: pair.kid })),
    cases: [
      one('v1', true, v1(secret)),
      one('v1a', true, v1a(homeKey)),
      one('v1 by two secrets, and v1a', true, `${v1(other)} ${v1(secret)} ${v1a(homeKey)}`),
      one('a kind that nobody knows beside it', true, `v2,AAAA ${v1a(homeKey)}`),
      one('v1 by another secret', false, v1(other)),
      one('v1a by another key', false, v1a(requestKey)),
      one('no word', false, ''),
      one('v1a unpadded', false, v1a(homeKey).replace('==', '')),
      one('v1 as v1a', false, v1(secret).replace('v1,', 'v1a,')),
      one('another body', false, v1a(homeKey), { body: body.replace('approved', 'declined') }),
      one('another id', false, v1a(homeKey), { id: message.replace('02', '03') }),
      one('another time', false, v1a(homeKey), { timestamp: String(seconds + 1) }),
      one('five minutes ago', true, v1a(homeKey), { now: seconds + 300 }),
      one('five minutes and a second ago', false, v1a(homeKey), { now: seconds + 301 }),
      one('five minutes ahead', true, v1a(homeKey), { now: seconds - 300 }),
      one('five minutes and a second ahead', false, v1a(homeKey), { now: seconds - 301 }),
      one('a time that is none', false, v1a(homeKey), { timestamp: 'now' }),
      one('for another receiver, passed on', false, v1a(homeKey, moved), { body: moved }),
      one('for no receiver', false, v1a(homeKey, nameless), { body: nameless }),
    ],
  };
}

function svcSignatures() {
  const [secret, old] = ['whsec_c2VjcmV0', 'whsec_b2xk'];
  const body = '{"id":"evt_1","data":{"name":"Zoë"}}';
  const by = (key: string, at = seconds) =>
    `v1=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;
  const one = (name: string, valid: boolean, header: string, but: object = {}) => ({
    name,
    now: seconds,
    body,
    ...but,
    header,
    valid,
  });
  return {
    secret,
    cases: [
      one('by the secret', true, `t=${seconds},${by(secret)}`),
      one('by the secret before it too', true, `t=${seconds},${by(old)},${by(secret)}`),
      one('by another secret', false, `t=${seconds},${by(old)}`),
      one('another body', false, `t=${seconds},${by(secret)}`, { body: body.replace('Zoë', 'Zoe') }),
      one('another time', false, `t=${seconds + 1},${by(secret)}`),
      one('no time', false, by(secret)),
      one('no signature', false, `t=${seconds}`),
      one('the signature first', false, `${by(secret)},t=${seconds}`),
      one('five minutes ago', true, `t=${seconds},${by(secret)}`, { now: seconds + 300 }),
      one('five minutes and a second ago', false, `t=${seconds},${by(secret)}`, { now: seconds + 301 }),
      one('five minutes and a second ahead', false, `t=${seconds},${by(secret)}`, { now: seconds - 301 }),
      one('v0', false, `t=${seconds},${by(secret).replace('v1', 'v0')}`),
    ],
  };
}

/** Every file of interop/vectors/protocol, by name. */
export function protocolVectors(): Record<string, unknown> {
  return {
    'addresses.json': {
      about:
        'Addresses as home.example reads them, names of homes, references, and slugs (docs/protocol/addresses.md).',
      home: 'home.example',
      addresses: addresses.map(([text, kind, canonical, full]) =>
        kind === null ? { text, kind } : { text, kind, canonical, full },
      ),
      homes: homes.map(([text, valid]) => ({ text, valid })),
      references: references.map(([text, home, of]) =>
        home === null ? { text, home } : { text, home, id: of },
      ),
      slugs: slugs.map(([name, slug]) => ({ name, slug })),
    },
    'asks.json': {
      about: 'Asks as the answer of ask_approval shows them, and their digest (docs/protocol/approvals.md).',
      cases: asks(),
    },
    'webhooks.json': {
      about:
        'Webhooks of AIs and callbacks of asks as their receiver takes them: v1 by `secret`, v1a by `keys`.',
      seeds: allKeys
        .slice(0, 1)
        .map(({ name, seedHex, pair }) => ({ name, kid: pair.kid, seed_hex: seedHex })),
      ...webhooks(),
    },
    'svc-signatures.json': {
      about:
        'Events of apps as their receiver takes them, by the header Svc-Signature and the app’s `secret`.',
      ...svcSignatures(),
    },
  };
}
