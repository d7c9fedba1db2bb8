import { contentDigest, targetUri } from '@hearth/http-signatures';
import { type KeyPair, signBytes } from '@hearth/signing';
import {
  homeKey,
  nextKey,
  now,
  home as origin,
  recoveryKey,
  requestKey,
  retiredKey,
  revokedKey,
  secondKey,
  strangerKey,
} from './material.ts';

/** A request as its reader receives it. */
export interface RequestBytes {
  method: string;
  /** The path after the endpoint, as received. */
  path: string;
  headers: [name: string, value: string][];
  /** Text in UTF-8; empty for no body. */
  body: string;
}

export interface RequestCase {
  name: string;
  /** When the request is read, if different from the file's time. */
  now?: string;
  request: RequestBytes;
  valid: boolean;
  /** For valid requests: the signature base. */
  base?: string;
  status?: number;
  code?: string;
}

export const reader = { home: 'other.example', endpoint: 'https://other.example/federation' };
const created = Date.parse(now) / 1_000;
const nonce = 'AAECAwQFBgcICQoLDA0ODw';
const usualBody = `{"v":1,"origin":"${origin}","destination":"other.example","epoch":1768471200,"items":[]}`;

export interface Written {
  method?: string;
  path?: string;
  /** The path to send, if different from the signed one. */
  sentPath?: string;
  body?: string;
  key?: KeyPair;
  kid?: string;
  label?: string;
  nonce?: string;
  created?: number;
  /** Changes the list of covered components. */
  parts?(usual: string[]): string[];
  /** Changes the parameters after them. */
  parameters?(usual: string): string;
  /** A lenient reading: the parameters to sign instead, with components stripped of theirs. */
  signedAs?(usual: string): string;
  origin?: string;
  home?: typeof reader;
  /** Headers before signing. */
  values?: Record<string, string>;
}

/** Signs a request by hand, valid or not, and returns it with the signed text. */
export function writeRequest(written: Written = {}): { request: RequestBytes; base: string } {
  const { method = 'POST', path = '/inbox', key = homeKey.pair, label = 'home', home = reader } = written;
  const body = written.body ?? (method === 'POST' ? usualBody : '');
  const by = written.origin ?? origin;
  const headers: Record<string, string> = {
    'home-origin': by,
    'home-destination': home.home,
    'home-version': '1',
    ...(body !== '' && {
      'content-type': 'application/json',
      'content-digest': contentDigest(Buffer.from(body)),
    }),
    ...written.values,
  };
  const names = ['@method', '@target-uri', 'home-origin', 'home-destination', 'home-version'];
  if (body !== '') names.push('content-type', 'content-digest');
  const quoted = names.map((name) => `"${name}"`);
  const parts = written.parts?.(quoted) ?? quoted;
  const from = written.created ?? created;
  const usual = `;created=${from};expires=${from + 300};nonce="${written.nonce ?? nonce}";keyid="${by}#${
    written.kid ?? key.kid
  }";tag="home/1"`;
  const parameters = `(${parts.join(' ')})${written.parameters?.(usual) ?? usual}`;
  const values: Record<string, string> = {
    '@method': method,
    '@target-uri': targetUri(home.endpoint, path)!,
    '@authority': home.home,
    '@path': path,
    ...headers,
  };
  const lines = parts.map((part) => {
    const [quotes, name] = /"(.*?)"/.exec(part)!;
    return `${written.signedAs === undefined ? part : quotes}: ${values[name!] ?? ''}`;
  });
  const signed =
    written.signedAs === undefined ? parameters : `(${parts.join(' ')})${written.signedAs(usual)}`;
  const base = [...lines, `"@signature-params": ${signed}`].join('\n');
  const bytes = signBytes(key.privateKey, Buffer.from(base)).toString('base64');
  return {
    request: {
      method,
      path: written.sentPath ?? path,
      headers: [
        ...Object.entries(headers),
        ['signature-input', `${label}=${parameters}`],
        ['signature', `${label}=:${bytes}:`],
      ],
      body,
    },
    base,
  };
}

const taken = (name: string, written: Written = {}, at?: string): RequestCase => {
  const { request, base } = writeRequest(written);
  return { name, ...(at !== undefined && { now: at }), request, valid: true, base };
};
const refusedAs = (name: string, request: RequestBytes, code: string, status: number, at?: string) => ({
  ...{ name, ...(at !== undefined && { now: at }), request },
  ...{ valid: false, status, code },
});
const refused = (name: string, written: Written, code = 'bad_signature', at?: string): RequestCase =>
  refusedAs(name, writeRequest(written).request, code, 401, at);
/** Changes a request after it was signed. */
const changed = (
  name: string,
  change: (request: RequestBytes) => Partial<RequestBytes>,
  code = 'bad_signature',
  status = 401,
): RequestCase => {
  const { request } = writeRequest();
  return refusedAs(name, { ...request, ...change(request) }, code, status);
};

type Lines = RequestBytes['headers'];
const without = (headers: Lines, gone: string) => headers.filter(([name]) => name !== gone);
const put = (headers: Lines, name: string, value: string): Lines => [
  ...without(headers, name),
  [name, value],
];
const lineOf = (headers: Lines, name: string) => headers.find(([of]) => of === name)![1];
const again = (headers: Lines, name: string): Lines => [...headers, [name, lineOf(headers, name)]];

const get = { method: 'GET', path: '/items?epoch=1768471200&after=0&limit=50' };
const seconds = (count: number) => new Date(Date.parse(now) + count * 1_000).toISOString();

/** Requests from home.example to other.example: each rule of docs/protocol/requests.md, kept and broken. */
export function requestCases(): RequestCase[] {
  return [
    ...goodCases(),
    ...partCases(),
    ...parameterCases(),
    ...keyCases(),
    ...headerCases(),
    ...changedCases(),
  ];
}

function goodCases(): RequestCase[] {
  const proxy = writeRequest();
  const lines = proxy.request.headers;
  const beside: Lines = [
    ...without(without(lines, 'signature'), 'signature-input'),
    ['signature-input', 'p=("@method" "x, y");created=1;note="a;b,c"'],
    ['signature-input', lineOf(lines, 'signature-input')],
    ['signature', 'p=:AAAA:'],
    ['signature', lineOf(lines, 'signature')],
  ];
  return [
    taken('with a body'),
    taken('without a body', get),
    taken('with another label', { label: 'sig1' }),
    taken('that covers its parts in another order', { parts: (usual) => [...usual].reverse() }),
    taken('whose parameters stand in another order', {
      parameters: () =>
        `;tag="home/1";keyid="${origin}#${homeKey.pair.kid}";nonce="${nonce}";expires=${created + 300};created=${created}`,
    }),
    taken('with alg ed25519', { parameters: (usual) => `${usual};alg="ed25519"` }),
    taken('by a key for requests alone', { key: requestKey.pair }),
    taken('by another active key', { key: secondKey.pair }),
    taken('of a second', {
      parameters: (usual) => usual.replace(String(created + 300), String(created + 1)),
    }),
    taken('with parts that are written with %XX', {
      ...get,
      path: '/cards/%40ana.ai-helper?for=%C3%A9%40x.example',
    }),
    taken('whose escapes a proxy took away', {
      ...{ ...get, path: '/cards/%40ana.ai-helper?for=%C3%A9%40x.example' },
      sentPath: '/cards/@an%61.ai-helper?for=é@x.example',
    }),
    taken('whose escapes a proxy wrote in small letters', {
      ...{ ...get, path: '/cards/%40ana.ai-helper?for=%C3%A9' },
      sentPath: '/cards/%40ana.ai-helper?for=%c3%a9',
    }),
    taken('with names and values of a query that have no value, and a second =', {
      ...{ ...get, path: '/items?x&y=a%3Db&' },
      sentPath: '/items?x&y=a=b&',
    }),
    {
      name: 'beside the signature of a proxy',
      request: { ...proxy.request, headers: beside },
      valid: true,
      base: proxy.base,
    },
    taken('created 300 seconds ahead', {}, seconds(-300)),
    taken('in its last second', {}, seconds(299)),
  ];
}

function partCases(): RequestCase[] {
  const usual = [
    '@method',
    '@target-uri',
    'home-origin',
    'home-destination',
    'home-version',
    'content-type',
    'content-digest',
  ];
  return [
    ...usual.map((part) =>
      refused(`that does not cover ${part}`, {
        parts: (parts) => parts.filter((component) => component !== `"${part}"`),
      }),
    ),
    refused('that covers more', { parts: (parts) => [...parts, '"@authority"'] }),
    refused('that covers a part twice', { parts: (parts) => [...parts, '"content-type"'] }),
    refused('that covers a part twice in the place of another', {
      parts: (parts) => [...parts.slice(0, -1), '"content-type"'],
    }),
    refused('with a parameter at a part', {
      parts: (parts) => parts.map((part) => (part === '"home-origin"' ? `${part};sf` : part)),
    }),
    refused('with a parameter at a part, which is not signed', {
      parts: (parts) => parts.map((part) => (part === '"home-origin"' ? `${part};sf` : part)),
      signedAs: (usual) => usual,
    }),
    refused('that covers the path in the place of the target', {
      parts: (parts) => parts.map((part) => (part === '"@target-uri"' ? '"@path"' : part)),
    }),
  ];
}

function parameterCases(): RequestCase[] {
  const same = (usual: string) => usual;
  const change = (name: string, from: string | RegExp, to: string, code?: string) =>
    refused(name, { parameters: (usual) => usual.replace(from, to) }, code);
  const more = (name: string, text: string) => refused(name, { parameters: (usual) => `${usual}${text}` });
  return [
    change('with another tag', 'home/1', 'home/2'),
    change('without a tag', ';tag="home/1"', ''),
    change('whose tag is a word', 'tag="home/1"', 'tag=home/1'),
    more('with another parameter', ';note="x"'),
    refused('with a parameter twice', { parameters: (usual) => `;created=1${usual}` }),
    refused('with a parameter twice, the second one signed', {
      ...{ parameters: (usual) => `;created=1${usual}`, signedAs: same },
    }),
    refused('with alg twice, one of them signed', {
      parameters: (usual) => `${usual};alg="ed25519";alg="ed25519"`,
      signedAs: (usual) => `${usual};alg="ed25519"`,
    }),
    more('with another alg', ';alg="rsa-pss-sha512"'),
    more('with alg in capitals', ';alg="Ed25519"'),
    ...['created', 'expires', 'nonce', 'keyid'].map((name) =>
      change(`without ${name}`, new RegExp(`;${name}=(?:"[^"]*"|\\d+)`), ''),
    ),
    change('with a nonce of 21 letters', nonce, nonce.slice(1)),
    change('with a nonce of 23 letters', nonce, `${nonce}A`),
    change('with a nonce that has another letter', nonce, `${nonce.slice(1)}=`),
    change('with a keyid of another home', `${origin}#`, 'third.example#'),
    change('with a keyid without a home', `${origin}#`, ''),
    change('with a keyid that has a second #', `${origin}#`, `${origin}#x#`),
    change('with a keyid without a kid', /#[^"]*/, '#'),
    change('with a fraction of a second', `created=${created}`, `created=${created}.5`),
    change('with created as a text', `created=${created}`, `created="${created}"`),
    change('that lasts 301 seconds', `expires=${created + 300}`, `expires=${created + 301}`),
    change('that ends as it begins', `expires=${created + 300}`, `expires=${created}`),
    change('that ends before it begins', `expires=${created + 300}`, `expires=${created - 1}`),
    refused('created 301 seconds ahead', {}, 'clock', seconds(-301)),
    refused('at the second at which it expires', {}, 'clock', seconds(300)),
  ];
}

function keyCases(): RequestCase[] {
  const by = (name: string, { pair }: typeof homeKey) => refused(name, { key: pair }, 'unknown_key');
  return [
    by('by a key that is not listed', strangerKey),
    by('by the next key', nextKey),
    by('by a retired key', retiredKey),
    by('by a revoked key', revokedKey),
    by('by the recovery key', recoveryKey),
    refused('by another key than keyid names', { key: strangerKey.pair, kid: homeKey.pair.kid }),
  ];
}

function headerCases(): RequestCase[] {
  const lines = (name: string, change: (headers: Lines) => Lines, code?: string, status?: number) =>
    changed(name, ({ headers }) => ({ headers: change(headers) }), code, status);
  const signed = (name: string, values: Record<string, string>, code: string, status: number) =>
    refusedAs(name, writeRequest({ values }).request, code, status);
  const once = ['home-origin', 'home-destination', 'home-version', 'content-digest'];
  return [
    lines('without signature', (headers) => without(headers, 'signature')),
    lines('without signature-input', (headers) => without(headers, 'signature-input')),
    ...once.map((name) => lines(`with ${name} twice`, (headers) => again(headers, name))),
    ...once.map((name) => lines(`without ${name}`, (headers) => without(headers, name))),
    lines('with its label twice', (headers) => again(headers, 'signature-input')),
    lines('with its bytes twice', (headers) => again(headers, 'signature')),
    lines('whose bytes have another label', (headers) =>
      put(headers, 'signature', lineOf(headers, 'signature').replace('home', 'hume')),
    ),
    lines('whose bytes have a parameter', (headers) =>
      put(headers, 'signature', `${lineOf(headers, 'signature')};x`),
    ),
    lines('whose signature is a text', (headers) => put(headers, 'signature', 'home="AAAA"')),
    lines('whose label has no list', (headers) => put(headers, 'signature-input', 'home=1;tag="home/1"')),
    lines('whose signature-input is no structured field', (headers) => put(headers, 'signature-input', '((')),
    lines('with two signatures of this tag', (headers) => {
      const other = writeRequest({ label: 'two' }).request.headers;
      return [...headers, ...other.filter(([name]) => name.startsWith('signature'))];
    }),
    signed('for another home', { 'home-destination': 'third.example' }, 'wrong_destination', 421),
    signed('of another version', { 'home-version': '2' }, 'bad_version', 400),
    signed('with another media type', { 'content-type': 'text/plain' }, 'unsupported_media_type', 415),
    signed(
      'with a charset',
      { 'content-type': 'application/json; charset=utf-8' },
      'unsupported_media_type',
      415,
    ),
    lines(
      'that is compressed',
      (headers) => [...headers, ['content-encoding', 'gzip']],
      'unsupported_media_type',
      415,
    ),
    signed(
      'with a digest of another body',
      { 'content-digest': contentDigest(Buffer.from('{}')) },
      'bad_signature',
      401,
    ),
    signed('with a digest that is none', { 'content-digest': 'sha-256=abc' }, 'bad_signature', 401),
    refused('with a second digest', {
      values: { 'content-digest': `${contentDigest(Buffer.from(usualBody))}, md5=:AAAA:` },
    }),
    refused('with a parameter at the digest', {
      values: { 'content-digest': `${contentDigest(Buffer.from(usualBody))};x` },
    }),
    refused('with a digest of another kind', {
      values: { 'content-digest': contentDigest(Buffer.from(usualBody)).replace('256', '512') },
    }),
    refused('with a home-origin that is no name', { origin: 'Home example' }),
  ];
}

function changedCases(): RequestCase[] {
  return [
    changed('with another body', ({ body }) => ({ body: `${body} ` })),
    changed('with another method', () => ({ method: 'PUT' })),
    changed('with another path', () => ({ path: '/inbox2' })),
    changed('with a query', () => ({ path: '/inbox?x' })),
    changed('with an escape that is none', () => ({ path: '/inbox%zz' })),
    changed('with its body taken away', () => ({ body: '' })),
    changed('with another version than was signed', ({ headers }) => ({
      headers: put(headers, 'home-version', '2'),
    })),
    changed('with a signature of 63 bytes', ({ headers }) => ({
      headers: put(headers, 'signature', `home=:${Buffer.alloc(63).toString('base64')}:`),
    })),
  ];
}
