import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@hearth/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commands } from '../src/commands/index.ts';
import { type Deps, run } from '../src/index.ts';
import { siteOf } from '../src/settings.ts';
import { table } from '../src/table.ts';

interface Received {
  method: string;
  url: string;
  authorization: string | undefined;
  body: unknown;
}

const key = 'the-operators-key';
const app = {
  id: `app_${'0'.repeat(32)}`,
  name: 'Team Planner',
  redirect_uris: [],
  contact_email: 'ops@planner.example',
  event_types: [],
  minors: false,
  created_at: '2026-03-01T12:00:00.000Z',
};
const made = { app, app_key: 'hearth_app_secret', signing_secret: 'whsec_secret' };

let server: Server;
let site: string;
let received: Received[];
/** The home's next answers; the last one repeats. */
let answers: { status: number; text: string; headers?: Record<string, string> }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({
        method,
        url,
        authorization: headers.authorization,
        body: body === '' ? undefined : JSON.parse(body),
      });
      const { status, text, headers: more = {} } = answers.length > 1 ? answers.shift()! : answers[0]!;
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  received = [];
  answers = [{ status: 201, text: JSON.stringify(made) }];
});

async function hearth(line: string[], more: Partial<Deps> = {}) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await run(line, {
    env: { HEARTH_SITE_URL: site, HEARTH_OPERATOR_KEY: key },
    folders: ['/home/ann', '/srv/hearth'],
    readFile: () => undefined,
    readInput: async () => new Uint8Array(),
    fetch,
    clock: systemClock,
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
    ...more,
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

const create = ['app', 'create', '--name', 'Team Planner', '--contact', 'ops@planner.example'];

describe('hearth app create', () => {
  test('creates an app and shows its secrets, with a first request to try', async () => {
    const { code, printed, complained } = await hearth([
      ...create,
      ...['--redirect-uri', 'https://a.example/', '--redirect-uri', 'https://b.example/'],
      ...['--webhook-url', 'https://a.example/hook', '--minors'],
    ]);
    expect([code, complained]).toEqual([0, '']);
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/v0/admin/apps',
        authorization: `Bearer ${key}`,
        body: {
          name: 'Team Planner',
          contact_email: 'ops@planner.example',
          redirect_uris: ['https://a.example/', 'https://b.example/'],
          webhook_url: 'https://a.example/hook',
          minors: true,
        },
      },
    ]);
    for (const part of [app.id, made.app_key, made.signing_secret, `curl -s ${site}/v0/app -H`]) {
      expect(printed).toContain(part);
    }
    expect(printed).not.toContain(key);
  });

  test('omits options that are not given', async () => {
    await hearth(create);
    expect(received[0]!.body).toEqual({ name: 'Team Planner', contact_email: 'ops@planner.example' });
  });

  test('prints JSON for programs', async () => {
    expect(JSON.parse((await hearth([...create, '--json'])).printed)).toEqual(made);
  });

  test.each([
    [['app', 'create'], '--name is required'],
    [['app', 'create', '--name', 'x'], '--contact is required'],
    [[...create, '--nmae', 'x'], "Unknown option '--nmae'"],
    [[...create, 'extra'], "unexpected argument 'extra'"],
    [['app', 'create', '--name'], "Option '--name <value>' argument missing"],
    [[...create, '--minors=yes'], "Option '--minors' does not take an argument"],
    [[...create, '--site', 'nowhere'], '--site is "nowhere"'],
    [[...create, '--site', 'http://x.example/path'], '--site is'],
  ])('%j is a usage error', async (line, words) => {
    const { code, printed, complained } = await hearth(line);
    expect([code, printed]).toEqual([2, '']);
    expect(complained).toContain(words);
    expect(received).toEqual([]);
  });

  test.each([
    [
      400,
      '{"error":"contact_email: must be an email address"}',
      'request refused (400): contact_email: must be',
    ],
    [401, '{"error":"no"}', 'rejected the operator key from HEARTH_OPERATOR_KEY'],
    [500, '{}', 'answered with status 500 and something that no home says'],
    [502, '<html>', 'answered with status 502 and something that no home says'],
    [200, 'hello', 'answered with status 200 and something that no home says'],
  ])('explains the failure: %i %s', async (status, text, words) => {
    answers = [{ status, text }];
    const { code, printed, complained } = await hearth(create);
    expect([code, printed]).toEqual([1, '']);
    expect(complained).toContain(words);
    expect(complained).not.toContain(key);
  });

  test('sends the key nowhere else', async () => {
    answers = [{ status: 307, text: '', headers: { location: `${site}/elsewhere` } }];
    expect((await hearth(create)).code).toBe(1);
    expect(received.map(({ url }) => url)).toEqual(['/v0/admin/apps']);
  });

  test('reports that no home answers', async () => {
    const { code, complained } = await hearth([...create, '--site', 'http://127.0.0.1:1']);
    expect([code, complained]).toEqual([
      1,
      expect.stringContaining('no home is running at http://127.0.0.1:1'),
    ]);
  });
});

describe('hearth app list', () => {
  test('goes through all pages', async () => {
    const page = (name: string, next_cursor: string | null) => ({
      status: 200,
      text: JSON.stringify({ apps: [{ ...app, name }], next_cursor }),
    });
    answers = [page('One', 'c&1'), page('Two', null)];
    const { code, printed } = await hearth(['app', 'list']);
    expect(code).toBe(0);
    expect(printed.split('\n')).toEqual([
      expect.stringMatching(/^APP +NAME +CONTACT/),
      expect.stringMatching(/^app_0+ {2}One {3}ops@planner\.example +no +2026-03-01 +- +-$/),
      expect.stringMatching(/ Two /),
    ]);
    expect(received.map(({ url }) => url)).toEqual([
      '/v0/admin/apps?limit=100',
      '/v0/admin/apps?limit=100&cursor=c%261',
    ]);
  });

  test('reports an empty list', async () => {
    answers = [{ status: 200, text: '{"apps":[],"next_cursor":null}' }];
    expect((await hearth(['app', 'list'])).printed).toContain('No apps yet');
    expect((await hearth(['app', 'list', '--json'])).printed).toBe('[]');
  });
});

describe("the operator's key", () => {
  const list = async (env: Record<string, string>, files: Record<string, string> = {}) => {
    answers = [{ status: 200, text: '{"apps":[],"next_cursor":null}' }];
    const asked: string[] = [];
    const { code, complained } = await hearth(['app', 'list'], {
      env: { HEARTH_SITE_URL: site, ...env },
      readFile: (path) => {
        asked.push(path);
        return files[path];
      },
    });
    return { code, complained, sent: received.at(-1)?.authorization, asked };
  };

  test('is read from a given file', async () => {
    const found = await list({ HEARTH_OPERATOR_KEY_FILE: '/run/key' }, { '/run/key': ' k1\n' });
    expect(found.sent).toBe('Bearer k1');
  });

  test('is found in the data folder, in the working directory or in the project', async () => {
    expect((await list({}, { '/home/ann/data/operator.key': 'k2\n' })).sent).toBe('Bearer k2');
    expect((await list({}, { '/srv/hearth/data/operator.key': 'k3\n' })).sent).toBe('Bearer k3');
    expect((await list({ HEARTH_DATA: 'd' }, { '/srv/hearth/d/operator.key': 'k4' })).sent).toBe('Bearer k4');
    expect((await list({ HEARTH_DATA: '/d' }, { '/d/operator.key': 'k5' })).sent).toBe('Bearer k5');
  });

  test('is reported when missing or empty', async () => {
    const { code, complained } = await list({});
    expect(code).toBe(1);
    expect(complained).toContain('/home/ann/data/operator.key or /srv/hearth/data/operator.key');
    expect((await list({ HEARTH_DATA: '/d' }, { '/d/operator.key': '\n' })).complained).toContain('is empty');
    expect((await list({ HEARTH_OPERATOR_KEY_FILE: '/none' })).complained).toContain('/none');
    expect(received).toEqual([]);
  });

  test('is checked before it is sent: two lines are refused', async () => {
    const twoLines = await list({ HEARTH_OPERATOR_KEY: 'hearth_op_a\nhearth_op_b' });
    expect([twoLines.code, twoLines.complained]).toEqual([
      1,
      "HEARTH_OPERATOR_KEY doesn't contain an operator key: a key is a single line of printable ASCII characters",
    ]);
    expect((await list({ HEARTH_DATA: '/d' }, { '/d/operator.key': 'k\u20ac' })).complained).toMatch(
      /^\/d\/operator.key doesn't contain an operator key/,
    );
    expect(received).toEqual([]);
  });

  test('in an unreadable file is reported', async () => {
    const { code, complained } = await hearth(['app', 'list'], {
      env: { HEARTH_SITE_URL: site },
      readFile: () => {
        throw new Error('EACCES: permission denied');
      },
    });
    expect([code, complained]).toEqual([
      1,
      expect.stringMatching(/from \/.*operator.key: EACCES: permission denied/),
    ]);
  });
});

describe('the site', () => {
  const of = (env: Record<string, string>, given?: string) => siteOf(given, { env });

  test('is the given option, the variable, or this machine', () => {
    expect(of({ HEARTH_SITE_URL: 'https://a.example' }, 'https://b.example/')).toBe('https://b.example');
    expect(of({ HEARTH_SITE_URL: 'https://a.example', PORT: '9' })).toBe('https://a.example');
    // The environment of a gateway that runs on its own.
    const apart = { HEARTH_SITE_URL: 'https://a.example', PEER_IDENTITY: 'identity:9090' };
    expect(of(apart)).toBe('http://localhost:8080');
    expect(of({ ...apart, PORT: '9' })).toBe('http://localhost:9');
    expect(of({ PORT: '8081' })).toBe('http://localhost:8081');
    expect(of({ PORT: '' })).toBe('http://localhost:8080');
  });

  test("in an invalid variable is refused with the variable's name", () => {
    expect(() => of({ PORT: '80a' })).toThrow('PORT is "80a"');
    expect(() => of({ HEARTH_SITE_URL: 'a.example' })).toThrow('HEARTH_SITE_URL is "a.example"');
    expect(() => of({}, 'a.example')).toThrow('--site is "a.example"');
  });

  test('must be an origin', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom('ftp://x', 'http://u@x', 'http://x/?a')),
        (text) => {
          try {
            const found = of({}, text);
            expect(new URL(found).origin).toBe(found);
          } catch (error) {
            expect((error as Error).message).toContain('expected a URL such as');
          }
        },
      ),
    );
  });

  test('over plain HTTP to another machine prints a warning', async () => {
    const { complained } = await hearth([...create, '--site', 'http://home.invalid'], {
      fetch: async () => new Response(JSON.stringify(made), { status: 201 }),
    });
    expect(complained).toContain("doesn't use https");
  });
});

describe('help', () => {
  test.each([[[]], [['--help']], [['-h']]])('lists every command for %j', async (line) => {
    const { code, printed } = await hearth(line, { env: {} });
    expect(code).toBe(0);
    for (const { name } of commands) expect(printed).toContain(`  ${name}`);
  });

  test('describes a group and each command, with all its options', async () => {
    expect((await hearth(['app', '--help'])).printed).toContain('Usage: hearth app <command>');
    for (const { name, options } of commands) {
      const { code, printed } = await hearth([...name.split(' '), '--help'], { env: {} });
      expect(code).toBe(0);
      for (const option of Object.keys(options)) expect(printed).toContain(`--${option}`);
    }
    expect(received).toEqual([]);
  });

  test.each([
    [['app'], /Usage: hearth app/],
    [['ap'], /^unknown command "ap"\. See: hearth --help$/],
    [['app', 'destroy'], /unknown command "app destroy"/],
    [['--site', 'x', 'app', 'list'], /^the command must come before its options/],
  ])('%j is a usage error', async (line, words) => {
    const { code, complained } = await hearth(line);
    expect([code, complained]).toEqual([2, expect.stringMatching(words)]);
  });
});

test('a table contains no terminal control sequences', () => {
  expect(table(['A', 'B'], [['\u001b[2Jx', 'y\n']])).toBe('A     B\n[2Jx  y');
});

test('the program itself ends with the exit code', async () => {
  const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const runIt = (args: string[]) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = spawn(process.execPath, [program, ...args], {
        env: { HEARTH_SITE_URL: site, HEARTH_OPERATOR_KEY: key },
      });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      child.on('close', (code) => resolve({ code, out }));
    });
  const [good, wrong] = await Promise.all([runIt([...create, '--json']), runIt(['nothing'])]);
  expect([good.code, JSON.parse(good.out)]).toEqual([0, made]);
  expect([wrong.code, wrong.out]).toEqual([2, '']);
});
