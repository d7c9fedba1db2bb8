import { randomBytes } from 'node:crypto';
import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { type LimitName, unprovenPoints } from '@hearth/limits';
import { http } from '@hearth/proto/google/api/annotations';
import { CallerKind, RateClass } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import { type Bounds, declarationOf, rulesOf } from '@hearth/proto-json';
import { boundedRulesOf, isObjectText, maxItemsOf, textRulesOf } from '@hearth/proto-json/testing';
import { assets, paths } from '@hearth/web';
import type { Probe, Uses, WireRequest } from './probe.ts';

/** Slightly below the largest accepted body. */
const bodyBytes = 130_000;
/** The most values that a body may have. */
const mostValues = 8_192;
const longestQuery = 12_000;

const limitOf: Readonly<Partial<Record<RateClass, LimitName>>> = {
  [RateClass.READ]: 'reads_a_minute',
  [RateClass.WRITE]: 'writes_a_minute',
  [RateClass.SIGN_UP]: 'sign_ups_an_hour',
  [RateClass.PEEK]: 'peeks_a_minute',
};
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Bodies that are expensive to parse, whatever they are for: the most values, the longest text, the longest names. */
const wide: Readonly<Record<string, string>> = {
  'empty objects': `[${Array.from({ length: mostValues - 100 }, () => '{}').join(',')}]`,
  members: `{${Array.from({ length: mostValues - 100 }, (_, index) => `"member${index}":${index}`).join(',')}}`,
  'long text': JSON.stringify('é'.repeat((bodyBytes - 1_000) / 2)),
  deep: `${'['.repeat(31)}${Array.from({ length: 4_000 }, () => '1.5e300').join(',')}${']'.repeat(31)}`,
};

/** Every declared route for a caller without a credential: with the smallest and with the largest accepted request. */
export function operationProbes(bounds: Bounds): Probe[] {
  return services.flatMap((service) =>
    service.methods.flatMap((desc) => {
      const declared = declarationOf(desc);
      if (declared === undefined) return [];
      const limit = limitOf[declared.rate];
      const isOpen = declared.callers.includes(CallerKind.ANONYMOUS);
      const uses: Uses = isOpen && limit !== undefined ? { [limit]: 1 } : {};
      const rule = getOption(desc, http);
      return [rule, ...rule.additionalBindings].flatMap(({ pattern, body }) => {
        const method = String(pattern.case).toUpperCase();
        const template = String(pattern.value);
        const make = (name: string, request: WireRequest): Probe => ({
          name: `${method} ${template}: ${name}`,
          uses,
          make: () => request,
        });
        const least = fieldsOf(desc.input, bounds, false);
        const most = fieldsOf(desc.input, bounds, true);
        const path = pathOf(template, least);
        if (body !== '*') {
          const rest = Object.entries(most).filter(([name]) => !template.includes(`{${name}}`));
          const query = new URLSearchParams(
            Object.fromEntries(rest.map(([name, value]) => [name, plain(value)])),
          ).toString();
          const request = { method, path: `${path}?${query.slice(0, longestQuery)}` };
          return isOpen
            ? [make('least', { method, path }), make('widest', request)]
            : [make('least', { method, path })];
        }
        const send = (name: string, text: string) => make(name, { method, path, headers: json, body: text });
        if (!isOpen) return [send('least', JSON.stringify(least)), send('long text', wide['long text']!)];
        const [first] = desc.input.fields.filter(({ name }) => !template.includes(`{${name}}`));
        const within = Object.entries(wide).map(([name, text]) =>
          send(name, `{"${first?.name ?? 'x'}":${text}}`),
        );
        const widest = JSON.stringify(most);
        return [
          send('least', JSON.stringify(least)),
          ...(Buffer.byteLength(widest) <= bodyBytes ? [send('widest', widest)] : []),
          ...within,
        ];
      });
    }),
  );
}

const anId = `x${'0'.repeat(31)}`;
/** Documents whose paths only standards define. */
const wellKnown = ['authorization-server', 'authorization-server/mcp'].concat(
  ...['', '/v0', '/mcp'].map((path) => `protected-resource${path}`),
);

/** The operator's pages; an unknown place is not found. */
const places = [
  'reports',
  'feedback',
  'deliveries',
  'failed',
  'ais',
  'people',
  'apps',
  'homes',
  'keys',
  'audit',
];

/** The path of every page and document. */
export function pagePaths(): string[] {
  const ofPages = Object.values(paths).map((path) =>
    typeof path === 'string' ? path : (path as (...args: string[]) => string)(anId, anId, anId, anId),
  );
  return [
    ...new Set([
      ...ofPages,
      ...places.map(paths.operatorPlace),
      ...wellKnown.map((name) => `/.well-known/oauth-${name}`),
      ...Object.values(assets).map(({ path }) => path),
      ...['/health', '/ready', '/v0/health', '/v0/ready'],
      `/oauth/interaction/${anId}`,
    ]),
  ];
}

const assetPaths: ReadonlySet<string> = new Set(Object.values(assets).map(({ path }) => path));
const documentPaths: ReadonlySet<string> = new Set<string>([
  ...[paths.front, paths.guide, paths.openApi, paths.homeDocument, paths.webhookKeys],
  ...assetPaths,
]);
/** Documents count against no limit of reads. */
const isDocument = (path: string) => documentPaths.has(path) || path.startsWith('/.well-known/');
const browse = ['GET', 'HEAD'];
function usesOfPage(path: string): Uses {
  if (isDocument(path)) return {};
  const isRead = path.startsWith(paths.commons) && !path.endsWith('/report');
  return isRead ? { reads_a_minute: 1 } : { visitor_pages_a_minute: 1 };
}

/** A browser with the CSRF token that any visitor gets. */
export interface Visitor {
  cookie: string;
  csrf: string;
}

/** Fields of any form, as expensive as a visitor can make them. */
const fields = {
  ...{
    email: 'kim@visitor.example',
    code: '123456',
    name: 'é'.repeat(80),
    handle: 'kim',
    note: 'é'.repeat(2_000),
  },
  ...{
    birth_month: '5',
    birth_year: '1990',
    time_zone: 'Europe/Zurich',
    ticket: 'x'.repeat(600),
    text: 'é'.repeat(8_000),
  },
  ...{ invitation: 'x'.repeat(100), record: JSON.stringify({ a: 'é'.repeat(20_000) }), reason: 'spam' },
};

/** A well-formed answer to a passkey's challenge, with the largest parts. */
const passkey = {
  ...{ id: 'x'.repeat(86), rawId: 'x'.repeat(86), type: 'public-key', clientExtensionResults: {} },
  response: {
    clientDataJSON: Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge: 'x'.repeat(43), origin: 'http://localhost' }),
    ).toString('base64url'),
    ...{ authenticatorData: 'A'.repeat(4_000), signature: 'A'.repeat(4_000), userHandle: 'x'.repeat(64) },
  },
};

/** Every page and document as a visitor without a session opens it, and submits its form. */
export function pageProbes({ cookie, csrf }: Visitor): Probe[] {
  const proof = { csrf, ...fields };
  const our = { ...form, cookie, 'sec-fetch-site': 'same-origin' };
  return pagePaths().flatMap((path): Probe[] => [
    ...browse.map((method) => ({
      ...{ name: `${method} ${path}`, uses: usesOfPage(path) },
      ...(assetPaths.has(path) && { unproven: unprovenPoints.asset }),
      make: () => ({ method, path }),
    })),
    { name: `OPTIONS ${path}`, uses: {}, make: () => ({ method: 'OPTIONS', path }) },
    {
      name: `POST ${path}: a form of ours`,
      uses: { writes_a_minute: 1 },
      make: () => ({ method: 'POST', path, headers: our, body: `${new URLSearchParams(proof)}` }),
    },
    {
      name: `POST ${path}: a script of ours`,
      uses: { writes_a_minute: 1 },
      make: () => ({
        ...{ method: 'POST', path, headers: { ...our, ...json } },
        body: JSON.stringify({ csrf, credential: passkey }),
      }),
    },
    {
      name: `POST ${path}: a form`,
      uses: { writes_a_minute: 1 },
      make: () => ({ method: 'POST', path, headers: form, body: 'csrf=x' }),
    },
    {
      name: `POST ${path}: a long form`,
      uses: { writes_a_minute: 1 },
      make: () => ({ method: 'POST', path, headers: form, body: `csrf=x&${'a=b&'.repeat(30_000)}` }),
    },
  ]);
}

function pathOf(template: string, fields: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(plain(fields[name] ?? 'x')));
}

const plain = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

function fieldsOf(desc: DescMessage, bounds: Bounds, widest: boolean, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    desc.fields
      .filter((field) => (widest ? depth < 3 || field.message === undefined : rulesOf(field).required))
      .filter((field) => field.oneof === undefined || field.oneof.fields[0] === field)
      .map((field) => [field.name, fieldValueOf(field, bounds, widest, depth)]),
  );
}

function fieldValueOf(field: DescField, bounds: Bounds, widest: boolean, depth: number): unknown {
  if (field.fieldKind === 'map') return {};
  if (field.fieldKind !== 'list') return itemOf(field, bounds, widest, depth);
  const most = Math.min(maxItemsOf(field, bounds), 50);
  const length = widest ? most : Math.max(1, rulesOf(field).minItems);
  return Array.from({ length }, () => itemOf(field, bounds, widest, depth));
}

function itemOf(field: DescField, bounds: Bounds, widest: boolean, depth: number): unknown {
  if (field.enum) return enumNames(field.enum).names[0];
  if (field.message?.typeName === 'google.protobuf.Timestamp') return '2030-01-01T00:00:00Z';
  if (field.message?.typeName.startsWith('google.')) return {};
  if (field.message) return fieldsOf(field.message, bounds, widest, depth + 1);
  if (isObjectText(field)) return widest ? { a: 'é'.repeat(20_000) } : {};
  if (field.scalar === ScalarType.BOOL) return true;
  const { id, example } = rulesOf(field);
  if (field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES)
    return Number(boundedRulesOf(field, bounds).maximum ?? 1n);
  if (id.length > 0) return `${id[0]}_${'0'.repeat(32)}`;
  if (example !== '' && !widest) return String(JSON.parse(example));
  const { maxLength, minLength } = textRulesOf(field, bounds);
  return 'é'.repeat(widest ? Math.min(maxLength, 8_000) : Math.max(1, minLength));
}

/** Requests without a route, or that are expensive before one is found. */
export function strayProbes(): Probe[] {
  const get = (what: string, path: string, headers: Record<string, string> = {}): Probe => ({
    name: `GET ${what}`,
    uses: {},
    make: () => ({ method: 'GET', path, headers }),
  });
  const many = 'a/'.repeat(5_000);
  return [
    get('a path that leads nowhere', '/nowhere'),
    get('an operation that is nearly there', '/v0/mesages/nxet'),
    get('a long path', `/${'x'.repeat(12_000)}`),
    get('a path of many parts', `/v0/${many}`),
    get('a path of escapes', `/v0/cards/${'%2F'.repeat(4_000)}`),
    get('a page that leads nowhere', '/nowhere', { accept: 'text/html' }),
    get(
      'large headers',
      '/nowhere',
      Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`x-h${index}`, 'y'.repeat(20)])),
    ),
    {
      name: 'GET /in: many cookies',
      uses: { reads_a_minute: 1 },
      make: () => ({ method: 'GET', path: '/in', headers: { cookie: 'a=b; '.repeat(2_500) } }),
    },
    get('a list of tags', '/', { 'if-none-match': 'W/"a",'.repeat(2_000) }),
    get('another host', '/nowhere', { host: 'elsewhere.example' }),
    { name: 'TRACE /', uses: {}, make: () => ({ method: 'TRACE', path: '/' }) },
    {
      name: 'POST a compressed body',
      uses: { reads_a_minute: 1 },
      make: () => ({
        ...{ method: 'POST', path: '/v0/verify', body: Buffer.alloc(130_000) },
        headers: { ...json, 'content-encoding': 'gzip' },
      }),
    },
    {
      name: 'GET /v0/me: a key that does not work, another each time',
      uses: {},
      unproven: unprovenPoints.unknownKey,
      make: () => ({
        ...{ method: 'GET', path: '/v0/me' },
        headers: { authorization: `Bearer hearth_ai_${randomBytes(48).toString('base64url')}` },
      }),
    },
    {
      name: 'GET /me: a session that does not work, another each time',
      uses: {},
      unproven: unprovenPoints.unknownKey,
      make: () => ({
        ...{ method: 'GET', path: '/me' },
        headers: { cookie: `hearth_session=hearth_ps_${randomBytes(64).toString('hex').slice(0, 43)}` },
      }),
    },
  ];
}
