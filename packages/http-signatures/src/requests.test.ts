import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { exportPublicJwk, importPublicKey, keyPairFromSeed, verifyBytes } from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { httpbis } from 'http-message-signatures';
import {
  contentDigest,
  encodePart,
  type IncomingRequest,
  isDigestOf,
  RequestRefused,
  readRequest,
  requireFresh,
  signRequest,
  targetUri,
  verifyRequest,
} from './index.ts';
import { signatureBase } from './profile.ts';

const key = keyPairFromSeed(new Uint8Array(32).fill(1));
const { keyObject } = importPublicKey(exportPublicJwk(key));
const now = Date.parse('2026-11-22T12:00:00Z');
const created = now / 1_000;
const nonce = 'AAAAAAAAAAAAAAAAAAAAAA';
const reader = { home: 'b.example', endpoint: 'https://b.example/federation' };
const body = Buffer.from('{"v":1}');
const post = {
  method: 'POST',
  target: 'https://b.example/federation/inbox',
  origin: 'a.example',
  destination: 'b.example',
  body,
} as const;

type Headers = Record<string, string | string[]>;

function incoming(headers: Headers, over: Partial<IncomingRequest> = {}): IncomingRequest {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return { method: 'POST', path: '/inbox', headers: lines, body, ...over };
}

function take(request: IncomingRequest, at = now): string {
  try {
    const read = readRequest(request, reader);
    requireFresh(read, at);
    verifyRequest(read, keyObject);
    return `${read.origin}#${read.kid}`;
  } catch (error) {
    if (error instanceof RequestRefused) return error.code;
    throw error;
  }
}

const signed = () => signRequest(post, { key, now, nonce });
const good = `a.example#${key.kid}`;

/** Signs anything as a stranger would, whether it keeps the rules or not. */
function forge(options: {
  covered?: string[];
  parameters?: string;
  label?: string;
  values?: Record<string, string>;
}): Headers {
  const headers = signed();
  const covered = options.covered ?? [
    '"@method"',
    '"@target-uri"',
    '"home-origin"',
    '"home-destination"',
    '"home-version"',
    '"content-type"',
    '"content-digest"',
  ];
  const usual = `;created=${created};expires=${created + 300};nonce="${nonce}";keyid="a.example#${key.kid}";tag="home/1"`;
  const parameters = `(${covered.join(' ')})${options.parameters ?? usual}`;
  const values: Record<string, string> = {
    '"@method"': 'POST',
    '"@target-uri"': post.target,
    '"@authority"': 'b.example',
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`"${name}"`, value])),
    ...options.values,
  };
  const lines = covered.map((part) => `${part}: ${values[part] ?? values[part.replace(/;.*/, '')]}`);
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n');
  const label = options.label ?? 'home';
  return {
    ...headers,
    'signature-input': `${label}=${parameters}`,
    signature: `${label}=:${sign(null, Buffer.from(base), key.privateKey).toString('base64')}:`,
  };
}

const usualParts = forge({})['signature-input'] as string;
const withParameters = (change: (usual: string) => string) =>
  forge({ parameters: change(usualParts.replace(/^home=\([^)]*\)/, '')) });

describe('a signed request', () => {
  test('is accepted with and without a body', () => {
    expect(take(incoming(signed()))).toBe(good);
    expect(take(incoming(forge({})))).toBe(good);
    const get = {
      ...post,
      method: 'GET',
      target: 'https://b.example/federation/items?epoch=1&after=0',
    } as const;
    const { body: _, ...bare } = get;
    const headers = signRequest(bare, { key, now, nonce });
    const path = '/items?epoch=1&after=0';
    expect(take(incoming(headers, { method: 'GET', path, body: Buffer.alloc(0) }))).toBe(good);
  });

  test('covers its parts in any order, alongside signatures of proxies, on several lines', () => {
    const { 'signature-input': input, signature, ...rest } = forge({ label: 'sig-b' });
    const reversed = forge({
      covered: [
        '"content-digest"',
        '"content-type"',
        '"home-version"',
        '"home-destination"',
        '"home-origin"',
        '"@target-uri"',
        '"@method"',
      ],
    });
    expect(take(incoming(reversed))).toBe(good);
    const proxy = `p=("@method" "x, y");created=1;note="a;b,c"`;
    const both = {
      ...rest,
      'signature-input': [proxy, input as string],
      signature: ['p=:AAAA:', signature as string],
    };
    expect(take(incoming(both))).toBe(good);
  });

  test.each<[string, () => Headers]>([
    ['without a signature', () => ({ ...signed(), signature: [] })],
    ['without signature-input', () => ({ ...signed(), 'signature-input': [] })],
    ['by another key', () => ({ ...signed(), signature: `home=:${Buffer.alloc(64).toString('base64')}:` })],
    [
      'of another label',
      () => ({ ...signed(), signature: String(signed()['signature']).replace('home', 'hume') }),
    ],
    ['with home-origin twice', () => ({ ...signed(), 'home-origin': ['a.example', 'a.example'] })],
    ['with another home-origin', () => ({ ...signed(), 'home-origin': 'c.example' })],
    ['whose home-origin is no name', () => ({ ...signed(), 'home-origin': 'A example' })],
    [
      'with content-digest twice',
      () => ({ ...signed(), 'content-digest': [contentDigest(body), contentDigest(body)] }),
    ],
    ['without content-digest', () => ({ ...signed(), 'content-digest': [] })],
    ['with home-destination twice', () => ({ ...signed(), 'home-destination': ['b.example', 'b.example'] })],
    ['without home-version', () => ({ ...signed(), 'home-version': [] })],
    [
      'that covers too little',
      () =>
        forge({
          covered: [
            '"@method"',
            '"@target-uri"',
            '"home-origin"',
            '"home-destination"',
            '"home-version"',
            '"content-type"',
          ],
        }),
    ],
    [
      'that covers more',
      () => forge({ covered: [...String(usualParts).match(/"[^"]+"(?=[ )])/g)!, '"@authority"'] }),
    ],
    [
      'that covers a part twice in place of another',
      () =>
        forge({
          covered: [
            '"@method"',
            '"@target-uri"',
            '"home-origin"',
            '"home-destination"',
            '"home-version"',
            '"content-type"',
            '"content-type"',
          ],
        }),
    ],
    [
      'with a parameter at a part',
      () =>
        forge({
          covered: [
            '"@method"',
            '"@target-uri"',
            '"home-origin";sf',
            '"home-destination"',
            '"home-version"',
            '"content-type"',
            '"content-digest"',
          ],
        }),
    ],
    ['with another tag', () => withParameters((usual) => usual.replace('home/1', 'home/2'))],
    ['without a tag', () => withParameters((usual) => usual.replace(';tag="home/1"', ''))],
    ['with another parameter', () => withParameters((usual) => `${usual};note="x"`)],
    ['with created twice', () => withParameters((usual) => `;created=1${usual}`)],
    ['of another algorithm', () => withParameters((usual) => `${usual};alg="rsa-pss-sha512"`)],
    ['without a nonce', () => withParameters((usual) => usual.replace(/;nonce="[^"]*"/, ''))],
    ['with a short nonce', () => withParameters((usual) => usual.replace(nonce, 'AAAA'))],
    [
      'with a nonce of other letters',
      () => withParameters((usual) => usual.replace(nonce, `${nonce.slice(1)}=`)),
    ],
    ['without keyid', () => withParameters((usual) => usual.replace(/;keyid="[^"]*"/, ''))],
    [
      'with a keyid of another home',
      () => withParameters((usual) => usual.replace('a.example#', 'c.example#')),
    ],
    ['with a keyid without a home', () => withParameters((usual) => usual.replace('a.example#', ''))],
    [
      'with a kid with a second #',
      () => withParameters((usual) => usual.replace('a.example#', 'a.example#x#')),
    ],
    [
      'that lasts too long',
      () => withParameters((usual) => usual.replace(`expires=${created + 300}`, `expires=${created + 301}`)),
    ],
    [
      'that ends as it begins',
      () => withParameters((usual) => usual.replace(`expires=${created + 300}`, `expires=${created}`)),
    ],
    [
      'with a fraction of a second',
      () => withParameters((usual) => usual.replace(`created=${created}`, `created=${created}.5`)),
    ],
    [
      'with created as text',
      () => withParameters((usual) => usual.replace(`created=${created}`, `created="${created}"`)),
    ],
    [
      'that names two signatures of this tag',
      () => {
        const { 'signature-input': input, signature, ...rest } = forge({ label: 'sig-b' });
        return {
          ...rest,
          'signature-input': [String(signed()['signature-input']), input as string],
          signature: [String(signed()['signature']), signature as string],
        };
      },
    ],
    ['with its label twice', () => ({ ...signed(), 'signature-input': [usualParts, usualParts] })],
    [
      'with its bytes twice',
      () => ({ ...signed(), signature: [String(signed()['signature']), String(signed()['signature'])] }),
    ],
    ['whose label has no list', () => ({ ...signed(), 'signature-input': 'home=1;tag="home/1"' })],
    ['that is no structured field', () => ({ ...signed(), 'signature-input': '((' })],
    [
      'with huge headers',
      () => ({ ...signed(), 'signature-input': `${usualParts}, x=("${'a'.repeat(9_000)}")` }),
    ],
  ])('%s is refused', (_, headers) => {
    expect(take(incoming(headers()))).toBe('bad_signature');
  });

  test('with alg ed25519 is accepted', () => {
    expect(take(incoming(withParameters((usual) => `${usual};alg="ed25519"`)))).toBe(good);
  });

  test.each<[string, Partial<IncomingRequest>]>([
    ['another body', { body: Buffer.from('{"v":2}') }],
    ['another method', { method: 'PUT' }],
    ['another path', { path: '/inbox2' }],
    ['another query', { path: '/inbox?x=1' }],
    ['no body any more', { body: Buffer.alloc(0) }],
    ['a path with a broken escape', { path: '/inbox%zz' }],
    ['no path', { path: 'inbox' }],
  ])('with %s is refused', (_, over) => {
    expect(take(incoming(signed(), over))).toBe('bad_signature');
  });

  test('for another home, or of another media type, is refused before its signature', () => {
    const unsigned = { ...signed(), signature: [] };
    expect(take(incoming({ ...unsigned, 'home-destination': 'c.example' }))).toBe('wrong_destination');
    for (const type of ['text/plain', 'application/json; charset=utf-8'])
      expect(take(incoming({ ...unsigned, 'content-type': type }))).toBe('unsupported_media_type');
    expect(take(incoming({ ...unsigned, 'content-encoding': 'gzip' }))).toBe('unsupported_media_type');
  });

  test('is valid from 300 seconds before its creation until it expires', () => {
    const at = (seconds: number) => take(incoming(signed()), now + seconds * 1_000);
    expect([-300, 0, 299.999].map(at)).toEqual([good, good, good]);
    expect([-300.001, 300].map(at)).toEqual(['clock', 'clock']);
  });
});

describe('a target', () => {
  test('is normalized the same, whatever a proxy changed', () => {
    const endpoint = 'https://b.example/federation';
    expect(encodePart('@ana.ai-helper')).toBe('%40ana.ai-helper');
    const expected = `${endpoint}/cards/%40ana.ai-helper?for=%C3%A9%40x.example`;
    expect(targetUri(endpoint, '/cards/@ana.ai-helper?for=é@x.example')).toBe(expected);
    expect(targetUri(endpoint, '/cards/%40an%61.ai-helper?for=%c3%a9%40x.example')).toBe(expected);
    expect(targetUri(endpoint, '/items?epoch=1&x&y=a=b')).toBe(`${endpoint}/items?epoch=1&x&y=a%3Db`);
  });

  test('of any text survives encoding and decoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(encodePart(text)).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
        expect(decodeURIComponent(encodePart(text))).toBe(text);
      }),
    );
  });
});

describe('published vectors', () => {
  const vector = JSON.parse(
    readFileSync(new URL('../../../interop/vectors/published/rfc9421-b26.json', import.meta.url), 'utf8'),
  ) as { jwk: { x: string; d: string }; signature_base: string; signature_base64: string };

  test('RFC 9421 B.2.6: the base and its signature', () => {
    const values: Record<string, string> = {
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      '@method': 'POST',
      '@path': '/foo',
      '@authority': 'example.com',
      'content-type': 'application/json',
      'content-length': '18',
    };
    const parameters = `(${Object.keys(values)
      .map((part) => `"${part}"`)
      .join(' ')});created=1618884473;keyid="test-key-ed25519"`;
    const base = signatureBase(Object.keys(values), (part) => values[part]!, parameters);
    expect(base.toString()).toBe(vector.signature_base);
    const secret = createPrivateKey({ key: vector.jwk, format: 'jwk' });
    expect(sign(null, base, secret).toString('base64')).toBe(vector.signature_base64);
    const { keyObject: published } = importPublicKey({
      ...vector.jwk,
      d: undefined,
      kid: 'test-key-ed25519',
    });
    expect(verifyBytes(published, base, Buffer.from(vector.signature_base64, 'base64'))).toBe(true);
  });

  test('RFC 9530 B: digests', () => {
    const hello = Buffer.from('{"hello": "world"}\n');
    const digest = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:';
    expect(contentDigest(hello)).toBe(digest);
    expect(isDigestOf(digest, hello)).toBe(true);
    expect(isDigestOf(` ${digest}`, hello)).toBe(true);
    for (const other of [
      digest.replace('256', '512'),
      `${digest}, ${digest}`,
      `${digest};x`,
      `${digest}, md5=:AAAA:`,
      '',
      'sha-256',
      '(',
    ])
      expect(isDigestOf(other, hello)).toBe(false);
    expect(isDigestOf(digest, body)).toBe(false);
  });
});

describe('another library', () => {
  const fields = [
    '@method',
    '@target-uri',
    'home-origin',
    'home-destination',
    'home-version',
    'content-type',
    'content-digest',
  ];

  test('verifies what we sign', async () => {
    const headers = signed();
    const verdict = await httpbis.verifyMessage(
      {
        keyLookup: async ({ keyid }) =>
          keyid === good
            ? { algs: ['ed25519'], verify: async (data, given) => verifyBytes(keyObject, data, given) }
            : null,
        requiredFields: fields,
        requiredParams: ['created', 'expires', 'nonce', 'keyid', 'tag'],
        notAfter: new Date(now + 1_000),
        tolerance: 1e9,
      },
      { method: 'POST', url: post.target, headers },
    );
    expect(verdict).toBe(true);
  });

  test('signs what we verify', async () => {
    const { signature: _, 'signature-input': __, ...headers } = signed();
    const message = await httpbis.signMessage(
      {
        key: { id: good, alg: 'ed25519', sign: async (data) => sign(null, data, key.privateKey) },
        name: 'theirs',
        fields,
        params: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
        paramValues: { created: new Date(now), expires: new Date(now + 60_000), nonce, tag: 'home/1' },
      },
      { method: 'POST', url: post.target, headers },
    );
    const lower = Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(take(incoming(lower))).toBe(good);
  });
});

test('hostile headers of any form are refused with a reason and never throw', () => {
  const pieces = fc.constantFrom(
    ...usualParts.split(/(?<=[;"=() ])/),
    'home=',
    ':AA==:',
    '?1',
    '@5',
    ',',
    '\\',
    '\u0000',
    'é',
  );
  const text = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
  let seen = 0;
  fc.assert(
    fc.property(text, text, fc.string(), (input, signature, path) => {
      const headers = { ...signed(), 'signature-input': input, signature };
      const code = take(incoming(headers, { path: `/${path}` }));
      expect(code).toBe('bad_signature');
      seen += 1;
    }),
    { numRuns: 20_000 },
  );
  expect(seen).toBe(20_000);
});
