import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DescMethod } from '@bufbuild/protobuf';
import { parseAddress, printAddress } from '@hearth/addresses';
import { codes } from '@hearth/errors';
import { objectFieldOf } from '@hearth/home-acts';
import { readLimits, sizesOf } from '@hearth/limits';
import { services } from '@hearth/proto/services';
import { createReader, declarationOf, readBody, readQuery } from '@hearth/proto-json';
import {
  digest,
  type JsonObject,
  type JsonValue,
  type ListedKey,
  canonicalize as ourCanonicalize,
  readClaimedKid,
  verifyRecord,
} from '@hearth/signing';
import { addressedTo, signSvc } from '@hearth/webhooks';
import { beforeAll, describe, expect, test } from '@jest/globals';
import npmCanonicalize from 'canonicalize';
import { flattenedVerify, importJWK } from 'jose';
import { requestsIn, type ShownRequest, shellBlocks } from './commands.ts';
import { documents, root } from './documents.ts';
import { tables, tablesIn, withFreshTables } from './tables.ts';

const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const all = documents();
const sizes = sizesOf(readLimits(undefined, { homeName: 'home.example' }));

/** The fenced block that follows `<!-- example: name -->`. */
function example(path: string, name: string): string {
  const block = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w*\\n([\\s\\S]*?)\\n\`\`\``).exec(
    read(path),
  )?.[1];
  if (block === undefined) throw new Error(`${path} has no example ${name}`);
  return block;
}

describe('generated tables', () => {
  test.each(all)('$path is up to date', ({ url }) => {
    const text = readFileSync(url, 'utf8');
    // If this fails: npm run docs
    expect(withFreshTables(text)).toBe(text);
  });

  test('each have a place in a document', () => {
    const placed = all.flatMap(({ url }) => tablesIn(readFileSync(url, 'utf8')));
    expect(placed.sort()).toEqual(Object.keys(tables).sort());
  });

  test('are reported when they are outdated', () => {
    const text = read('docs/operators/settings.md');
    expect(withFreshTables(text.replace('| `PORT` |', '| `PORTS` |'))).toBe(text);
  });
});

describe('links', () => {
  test.each(all)('in $path resolve', ({ url }) => {
    const text = readFileSync(url, 'utf8');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
    const broken = links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(link, url));
    expect(broken).toEqual([]);
  });

  function leadsSomewhere(link: string, from: URL): boolean {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? from : new URL(path, from);
    if (!existsSync(target)) return false;
    return anchor === undefined || headings(readFileSync(target, 'utf8')).includes(anchor);
  }

  function headings(text: string): string[] {
    return [...text.matchAll(/^#+ (.*)$/gm)].map((match) =>
      (match[1] as string)
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  }

  test('to project files resolve', () => {
    const top = 'bench|docs|interop|loadtest|packages|proto|scripts|services|tests|tools|web';
    const beside = 'actions|consumers|db|domain|jobs|rpc|src|test';
    const name = new RegExp(`\`((?:${top}|${beside})/[\\w./-]+\\.\\w+)\``, 'g');
    const named = all.flatMap(({ path, url }) =>
      // A decision record also names files of rejected alternatives.
      path.startsWith('docs/adr/')
        ? []
        : [...readFileSync(url, 'utf8').matchAll(name)].map((match) => ({
            path,
            url,
            file: match[1] as string,
          })),
    );
    // A module's README also names its service's tests.
    const places = (url: URL) => [root, url, new URL('../../', url)];
    const missing = named.filter(
      ({ url, file }) => !places(url).some((place) => existsSync(new URL(file, place))),
    );
    expect(missing.map(({ path, file }) => `${path}: ${file}`)).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });
});

test('README.md shows the commands that a home prints', async () => {
  const { welcome } = (await import(new URL('services/home/src/welcome.ts', root).href)) as {
    welcome(siteUrl: string): string;
  };
  const commands = welcome('http://localhost:8080').split('\n\n').slice(2, -1).join('\n\n');
  expect(commands).toContain('curl');
  expect(read('README.md')).toContain(`<!-- commands -->\n\`\`\`sh\n${commands}\n\`\`\`\n`);
});

test('docs/commands.md names the ports that npm run homes takes', () => {
  const [, one, other] = /default: '(\d+),(\d+)'/.exec(read('scripts/homes.ts')) ?? [];
  expect([one, other]).toEqual(['8081', '8082']);
  expect(read('docs/commands.md')).toContain(`\`localhost:${one}\` and \`localhost:${other}\``);
});

test('every script of package.json that the documents name exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = all.flatMap(({ url }) => [...readFileSync(url, 'utf8').matchAll(/npm run ([a-z:]+)/g)]);
  const unknown = named.map((match) => match[1] as string).filter((name) => !(name in scripts));
  expect(unknown).toEqual([]);
});

test('docs/operators/monitoring.md lists every metric, and no other', () => {
  const files = globSync('{packages,services}/*/src/**/metrics.ts', { cwd: fileURLToPath(root) });
  const declared = ['packages/db/src/connections.ts', ...files].flatMap((path) =>
    [
      ...read(path).matchAll(
        /(?:histogram|gauge|upDownCounter|counter|eventCounter|createHistogram)\(\s*'([a-z._]+)'/g,
      ),
    ].map((match) => match[1] as string),
  );
  const [, section = ''] = read('docs/operators/monitoring.md').split('\n## Metrics\n');
  const listed = section
    .split('\n')
    .flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([a-z._]+)`/g)].map((match) => match[1] as string),
    );
  expect(declared.length).toBeGreaterThan(5);
  expect(listed.sort()).toEqual([...new Set(declared)].sort());
});

describe('docs/operators/services.md runs every service of a home', () => {
  const text = read('docs/operators/services.md');
  const imported = [...read('services/home/src/services.ts').matchAll(/from '@hearth\/([a-z]+)'/g)];
  const services = imported
    .map((match) => match[1] as string)
    .filter((name) => existsSync(new URL(`services/${name}/src/main.ts`, root)));

  test('in a process of its own', () => {
    const started = [...text.matchAll(/ services\/([a-z]+)\/src\/main\.ts/g)].map((match) => match[1]);
    expect(started.sort()).toEqual([...services].sort());
    const peers = [...text.matchAll(/PEER_([A-Z]+)=[a-z]+:9090/g)].map((match) => match[1]?.toLowerCase());
    expect(peers.sort()).toEqual(services.filter((name) => name !== 'gateway').sort());
  });
});

describe('the list of a service’s modules', () => {
  const owners = readdirSync(new URL('services/', root)).flatMap((service) => {
    const { modules = {} } = JSON.parse(read(`services/${service}/package.json`)) as { modules?: object };
    return Object.keys(modules).length === 0 ? [] : [{ service, modules: Object.keys(modules).sort() }];
  });

  test.each(owners)('is in the README of $service', ({ service, modules }) => {
    const text = read(`services/${service}/README.md`);
    const names = modules.filter((name) => !new RegExp(`(?:src/|\`|\\[)${name}[\`\\]]`).test(text));
    expect(names).toEqual([]);
  });

  // The gateway has a module for each interface.
  test.each(owners.filter(({ service }) => service !== 'gateway'))(
    'is in the table of ARCHITECTURE.md for $service',
    ({ service, modules }) => {
      const row = new RegExp(`^\\| \`${service}\` \\| ([^|]+) \\|`, 'm').exec(read('ARCHITECTURE.md'))?.[1];
      const listed = [...(row ?? '').matchAll(/`([a-z-]+)`/g)].map((match) => match[1]);
      expect(listed.sort()).toEqual(modules);
    },
  );
});

describe('the worked example in docs/protocol/records.md', () => {
  const path = 'docs/protocol/records.md';
  const card = JSON.parse(example(path, 'card')) as Record<string, unknown> & {
    signature: { protected: string; signature: string };
  };
  const key = JSON.parse(example(path, 'key')) as { kid: string; kty: string; crv: string; x: string };
  const { signature, ...rest } = card;

  test('is our first vector', () => {
    const { cases, keys } = JSON.parse(read('interop/vectors/records/cards.json'));
    expect(card).toEqual(cases[0].object);
    expect(keys).toContainEqual(key);
  });

  test('shows each step: header, canonical form, digest', () => {
    expect(Buffer.from(signature.protected, 'base64url').toString()).toBe(example(path, 'header'));
    const canonical = example(path, 'canonical');
    expect(canonical).toBe(npmCanonicalize(rest));
    expect(canonical).toBe(ourCanonicalize(rest));
    expect(read(path)).toContain(`\`${digest(rest)}\``);
  });

  test('verifies with the program on its page, and fails with a changed card', async () => {
    const source = example(path, 'program')
      .replaceAll(/^import .*\n/gm, '')
      .replace('export ', '');
    const make = new Function(
      'flattenedVerify',
      'importJWK',
      'canonicalize',
      `${source}\nreturn verifyCard;`,
    );
    const verifyCard = make(flattenedVerify, importJWK, npmCanonicalize) as (
      card: unknown,
      key: unknown,
    ) => Promise<unknown>;
    await expect(verifyCard(card, key)).resolves.toEqual(rest);
    await expect(verifyCard({ ...card, name: 'Helpers' }, key)).rejects.toThrow();
  });
});

describe('the items shown in docs/protocol', () => {
  type Item = JsonObject & { origin: string; destination: string; issued_at: string; id: string };
  const { homes } = JSON.parse(read('interop/vectors/federation/items.json')) as {
    homes: Record<string, { keys: ListedKey[] }>;
  };
  const jsonShown = all
    .filter(({ path }) => path.startsWith('docs/protocol/'))
    .flatMap(({ path }) => [...read(path).matchAll(/```json\n([\s\S]*?)\n```/g)])
    .map(([, text]) => JSON.parse(text!) as Item);
  const items = jsonShown.filter(({ origin, type }) => origin !== undefined && type !== undefined);

  const operations = new Map(
    services
      .flatMap(({ methods }) => methods)
      .map((desc) => [declarationOf(desc), desc] as const)
      .flatMap(([declared, desc]) => (declared?.federated === true ? [[declared.id, desc] as const] : [])),
  );

  test('cover every type', () => {
    expect(new Set(items.map(({ type }) => type))).toEqual(
      new Set(['message', 'state', 'act', 'result', 'erased', 'notice', 'skip']),
    );
  });

  test.each(items)('are signed by their home, and accepted: $id', async (item) => {
    const { weighSigned } = (await import(
      new URL('services/federation/src/log/actions/weigh-item.ts', root).href
    )) as { weighSigned(item: JsonObject, key: ListedKey | null, options: object): object };
    const { origin, destination, issued_at: issuedAt, body } = item;
    const key = homes[origin]!.keys.find(({ kid }) => kid === readClaimedKid(item['signature']));
    const weighed = weighSigned(item, key ?? null, {
      ...{ origin, home: destination, devHomes: [], now: Date.parse(issuedAt) },
      isFederated: (operation: string) => operations.has(operation),
      isKind: () => true,
    });
    expect(weighed).toMatchObject({ id: item.id });
    if (item['type'] !== 'act') return;
    const { on, operation, request } = body as { on: string; operation: string; request: object };
    const desc = operations.get(operation)!;
    const json = { ...request, [objectFieldOf(desc)]: on.split(':').at(-1)! };
    expect(() => createReader({ bounds: sizes }).readMessage(desc.input, json)).not.toThrow();
  });

  test('appear in records that their home signed', () => {
    const records = jsonShown.filter(({ subject }) => subject !== undefined);
    expect(records.length).toBeGreaterThan(3);
    for (const record of records) {
      const by = { expectedType: 'svc-record+jws', home: 'home.example', now: 0 } as const;
      expect(verifyRecord(record, { ...by, keys: homes['home.example']!.keys })).toMatchObject({
        problems: [],
      });
      expect(actsIn(record).map((act) => verifyItem(act).valid)).not.toContain(false);
    }

    function verifyItem(item: Item) {
      const by = { expectedType: 'svc-envelope+jws', home: item.origin, now: 0 } as const;
      return verifyRecord(item, { ...by, keys: homes[item.origin]!.keys });
    }

    function actsIn(value: JsonValue | undefined): Item[] {
      if (typeof value !== 'object' || value === null) return [];
      if (!Array.isArray(value) && value['type'] === 'act') return [value as Item];
      return Object.values(value).flatMap(actsIn);
    }
  });

  test('have the digest of their ask', () => {
    const asks: JsonObject[] = items.flatMap(({ body }): JsonObject[] => {
      const { kind, object } = body as { kind?: string; object: JsonObject };
      return kind === 'ask' ? [object] : [];
    });
    expect(asks).not.toEqual([]);
    for (const { title, choices, free_text, people, digest: given } of asks) {
      const to = (people as { to: string }[]).map((person) => person.to);
      expect(given).toBe(digest({ title: title!, choices: choices!, free_text: free_text!, to }));
    }
  });
});

test('the addresses in docs/protocol/addresses.md are read and written as described', () => {
  const table = /<!-- examples: addresses -->\n([\s\S]*?)\n\n/.exec(
    read('docs/protocol/addresses.md'),
  )?.[1] as string;
  const rows = table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').slice(1, 4));
  expect(rows.length).toBeGreaterThan(10);
  for (const [written = '', kind = '', canonical = ''] of rows) {
    const text = /`(.*)`/.exec(written)?.[1] as string;
    const address = parseAddress(text, { ownHome: 'home.example' });
    const shown = address === null ? '' : `\`${printAddress(address)}\``;
    expect([text, address?.kind.toLowerCase() ?? 'no address', shown]).toEqual([
      text,
      kind.trim().toLowerCase(),
      canonical.trim(),
    ]);
  }
});

test('the message in docs/protocol/messages.md is valid', async () => {
  const { MessageSchema } = await import('@hearth/proto/messages/v1/messages');
  const { readMessage } = createReader({ bounds: new Map() });
  expect(() =>
    readMessage(MessageSchema, JSON.parse(example('docs/protocol/messages.md', 'message'))),
  ).not.toThrow();
});

describe('commands in the documents', () => {
  const shown = all.flatMap(({ path, url }) =>
    requestsIn(shellBlocks(readFileSync(url, 'utf8'))).map((request) => ({ document: path, ...request })),
  );
  const reader = createReader({ bounds: sizes });
  let gateway: Gateway;
  beforeAll(async () => {
    const parts = ['operations/operations', 'rest/route-tree'].map(
      (part) => import(new URL(`services/gateway/src/${part}.ts`, root).href) as Promise<Gateway>,
    );
    gateway = Object.assign({}, ...(await Promise.all(parts)));
  });

  /** Reads the request as the gateway does. Throws for an unknown path or field. */
  function check({ method, path, query, body }: ShownRequest): void {
    const tree = new gateway.RouteTree<{ desc: DescMethod; binding: Binding }>();
    for (const { desc, bindings } of gateway.readOperations())
      for (const binding of bindings) tree.add(binding.method, binding.segments, { desc, binding });
    const found = tree.find(path);
    const route = found?.routes.get(method);
    if (found === undefined || route === undefined) throw new Error(`no operation takes ${method} ${path}`);
    const { desc, binding } = route;
    const names = binding.segments.flatMap(({ parameter }) => parameter ?? []);
    const inPath = Object.fromEntries(names.map((name, index) => [name, found.values[index] ?? '']));
    const json = binding.hasBody
      ? readBody(desc.input, body === undefined ? undefined : JSON.parse(body), inPath)
      : readQuery(desc.input, Object.fromEntries(new URLSearchParams(query)), inPath);
    if ((binding.hasBody ? query : (body ?? '')) !== '')
      throw new Error(`${method} ${path} does not take that`);
    reader.readMessage(desc.input, json);
  }

  test('are found', () => expect(shown.length).toBeGreaterThan(20));

  test.each(shown)('$document: $line', (request) => check(request));

  test.each([
    ['as $ADA $HOME_URL/v0/groups -d \'{"nam":"x"}\'', 'nam'],
    ["as $ADA $HOME_URL/v0/grups -d '{}'", 'no operation takes POST /v0/grups'],
    ['app -X PATCH $HOME_URL/v0/groups', 'no operation takes PATCH /v0/groups'],
    ['app "$HOME_URL/v0/groups/$GROUP?x=1"', 'x'],
    ['app $HOME_URL/v0/people -d "{\\"name\\":\\"Mia\\",\\"guard\\":\\"$ADA\\"}"', 'guard'],
  ])('show a mistake: %s', (line, words) => {
    const [request] = requestsIn([line]);
    expect(() => check(request as ShownRequest)).toThrow(words);
  });
});

test('the verifier in docs/apps.md accepts events of the home only', async () => {
  const code = example('docs/apps.md', 'verify');
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const { isFromHome } = (await import(url)) as {
    isFromHome(header: string, body: string, secret: string): boolean;
  };
  const now = Math.floor(Date.now() / 1_000);
  const body = '{"id":"evt_1","data":{"name":"Zoë"}}';
  const header = signSvc(['whsec_new', 'whsec_old'], now, body);
  expect(['whsec_new', 'whsec_old', 'whsec_x'].map((secret) => isFromHome(header, body, secret))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isFromHome(header, body.replace('Zoë', 'Zoe'), 'whsec_new')).toBe(false);
  expect(isFromHome(signSvc(['whsec_new'], now - 600, body), body, 'whsec_new')).toBe(false);
  for (const broken of [
    '',
    't=1',
    `t=${now},v1=`,
    `t=${now},v1=zz`,
    'v1=00,t=1',
    header.replace('t=', 't=1'),
  ])
    expect(isFromHome(broken, body, 'whsec_new')).toBe(false);
});

test('the v1a verifier in docs/protocol/approvals.md accepts messages of the home to that address only', async () => {
  const url = `data:text/javascript;base64,${Buffer.from(example('docs/protocol/approvals.md', 'verify v1a')).toString('base64')}`;
  const { isForMe } = (await import(url)) as {
    isForMe(headers: Record<string, string>, body: string, keys: object[], to: string): boolean;
  };
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keys = [generateKeyPairSync('ed25519').publicKey, publicKey].map((key) =>
    key.export({ format: 'jwk' }),
  );
  const to = 'https://robin.example/hooks';
  const body = addressedTo(to, '{"status":"approved","name":"Zoë"}');
  const headersAt = (seconds: number) => ({
    'webhook-id': 'apr_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,x v1a,${sign(null, Buffer.from(`apr_1.${seconds}.${body}`), privateKey).toString('base64')}`,
  });
  const now = Math.floor(Date.now() / 1_000);
  expect(isForMe(headersAt(now), body, keys, to)).toBe(true);
  expect(isForMe(headersAt(now), body.replace('Zoë', 'Zoe'), keys, to)).toBe(false);
  expect(isForMe(headersAt(now), body, keys, 'https://mallory.example/')).toBe(false);
  expect(isForMe(headersAt(now), body, keys.slice(0, 1), to)).toBe(false);
  expect(isForMe(headersAt(now - 600), body, keys, to)).toBe(false);
  expect(isForMe({ ...headersAt(now), 'webhook-signature': 'v1a,AAAA' }, body, keys, to)).toBe(false);
});

test('docs/apps.md explains every code, or marks it as unused', () => {
  const section = /\n## Errors\n([\s\S]*)$/.exec(read('docs/apps.md'))?.[1] as string;
  const [table = '', rest = ''] = section.split('Declared for what is not there yet:');
  const explained = table
    .split('\n')
    .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map((match) => match[1]));
  const unused = [...(rest.split('.')[0] ?? '').matchAll(/`([a-z_]+)`/g)].map((match) => match[1]);
  expect([...explained, ...unused].sort()).toEqual([...codes].sort());
});

interface Binding {
  method: string;
  segments: { text?: string; parameter?: string }[];
  hasBody: boolean;
}

/** The part of the gateway that reads requests, used to check documents. */
interface Gateway {
  readOperations(): { desc: DescMethod; bindings: Binding[] }[];
  RouteTree: new <Route>() => {
    add(method: string, segments: Binding['segments'], route: Route): void;
    find(path: string): { routes: ReadonlyMap<string, Route>; values: readonly string[] } | undefined;
  };
}
