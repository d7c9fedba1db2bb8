import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { connectMcp } from './support/mcp-client.ts';
import { agree, answerOf, authorizationRequest, exchange, register } from './support/oauth-client.ts';
import { startWholeHome } from './support/whole-home.ts';

/*
 * Whatever a program gives to a tool is the program's fault and never the home's: every tool, as it is listed, is
 * called with arguments that nearly are what it takes, on behalf of an AI that may do everything.
 */

const callsOfOne = 200;
const atOnce = 8;

const home = await startWholeHome({ logLevel: 'info' });
const { site } = home;
const ada = await home.signIn('ada@example.com');
const scope = ['read', 'notes', 'message', 'group', 'invite', 'approve'];
const program = await register(site);
const resource = `${site}/mcp`;
const request = await authorizationRequest(program, { scope: scope.join(' '), resource });
const done = await agree(ada, await ada.open(request.url), { scope });
const tokens = await exchange(program, answerOf(program, done, request), request);
const connected = await connectMcp({ site, revision: '2026-07-28', key: tokens.access_token });

afterAll(async () => {
  await connected?.close();
  await home.stop();
});

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  pattern?: string;
  $ref?: string;
}

const ids = ['msg', 'thr', 'apr', 'per', 'ai', 'grp', 'inv', 'rec', 'rpt', 'nte', 'shp', 'sub'].flatMap(
  (prefix) => [`${prefix}_${'0'.repeat(32)}`, `${prefix}_${'f'.repeat(32)}`],
);
const words = fc.constantFrom(
  ...ids,
  ...[
    '@ada',
    '@ada-lovelace.ai-helper',
    '&us',
    'ada@example.com',
    'somebody@elsewhere.example',
    'me',
    'r:a:b',
  ],
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '%00',
    '../..',
    "'; drop table ais; --",
    '{}',
    '🦉'.repeat(50),
    'x'.repeat(10_000),
  ],
  ...['2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '-1', 'sha-256:x', 'Europe/Zurich', '__proto__'],
);
const anything = fc.oneof(words, fc.jsonValue({ maxDepth: 3 }));

/** Values that a schema takes, or nearly. */
function nearly(schema: Schema, root: { $defs?: Record<string, Schema> }, depth = 0): fc.Arbitrary<unknown> {
  const target = schema.$ref === undefined ? schema : root.$defs![schema.$ref.replace('#/$defs/', '')]!;
  return fc.oneof({ weight: 5, arbitrary: fitting(target, root, depth) }, { weight: 1, arbitrary: anything });
}

function fitting(schema: Schema, root: object, depth: number): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return fc.oneof(words, fc.string(), idLike(schema));
    case 'integer':
    case 'number':
      return fc.oneof(fc.nat(100), fc.constantFrom(-1, 0, 1.5, 2 ** 31, 2 ** 53, 1e300));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(nearly(schema.items ?? {}, root, depth + 1), { maxLength: 4 });
    case 'object':
      return depth > 4 ? fc.constant({}) : members(schema, root, depth);
    default:
      return anything;
  }
}

/** Ids of the right kind; the home reads them further than others. */
function idLike({ pattern = '' }: Schema): fc.Arbitrary<string> {
  const prefixes = [...pattern.matchAll(/([a-z]+)(?=[_|)])/g)].map(([, prefix]) => prefix!);
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
  return prefixes.length === 0
    ? fc.string()
    : fc.tuple(fc.constantFrom(...prefixes), digits).map((parts) => parts.join('_'));
}

function members({ properties = {} }: Schema, root: object, depth: number): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(
    Object.entries(properties)
      // The test does not wait.
      .filter(([name]) => name !== 'wait')
      .map(([name, schema]) => [name, nearly(schema, root, depth + 1)]),
  );
  const given = fc.record(known, { requiredKeys: [] });
  return fc.oneof(
    { weight: 8, arbitrary: given },
    {
      weight: 1,
      arbitrary: fc
        .tuple(given, fc.dictionary(fc.string(), anything, { maxKeys: 2 }))
        .map(([a, b]) => ({ ...b, ...a })),
    },
  );
}

test('no arguments of any tool are too much for the home', async () => {
  const { tools } = await connected.client.listTools();
  expect(tools.length).toBeGreaterThan(40);
  const failures: unknown[] = [];
  const answered = { well: 0, refused: 0 };
  for (const { name, inputSchema } of tools) {
    const samples = fc.sample(members(inputSchema as Schema, inputSchema, 0), callsOfOne) as Record<
      string,
      unknown
    >[];
    const call = async (given: Record<string, unknown>) => {
      try {
        const { isError, structuredContent } = await connected.call(name, given);
        if (isError) answered.refused += 1;
        else answered.well += 1;
        if (isError && structuredContent.code === 'internal')
          failures.push([name, given, structuredContent.error]);
      } catch (error) {
        // Text that the home refuses as JSON reaches no tool.
        if (String(error).includes('-32700')) answered.refused += 1;
        else failures.push([name, given, String(error)]);
      }
    };
    for (let start = 0; start < samples.length; start += atOnce)
      await Promise.all(samples.slice(start, start + atOnce).map(call));
  }
  expect(failures.slice(0, 5)).toEqual([]);
  expect(answered.refused).toBeGreaterThan(1_000);
  expect(answered.well).toBeGreaterThan(200);
  expect(home.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
}, 240_000);
