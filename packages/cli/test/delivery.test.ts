import { manualClock } from '@hearth/clock';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { run } from '../src/index.ts';

const site = 'https://home.example';
const app = `app_${'0'.repeat(31)}1`;
const sub = `sub_${'0'.repeat(31)}2`;
const evt = `evt_${'0'.repeat(31)}3`;

/** The home's next answers; the last one repeats. */
let answers: { status?: number; body: unknown }[];
let received: { method: string; url: URL; body: unknown }[];

beforeEach(() => {
  received = [];
});

async function hearth(...line: string[]) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await run(line, {
    env: { HEARTH_SITE_URL: site, HEARTH_OPERATOR_KEY: 'key' },
    folders: [],
    readFile: () => undefined,
    readInput: async () => new Uint8Array(),
    fetch: async (url, { method, body } = {}) => {
      const sent = typeof body === 'string' ? JSON.parse(body) : undefined;
      received.push({ method: method ?? 'GET', url: new URL(String(url)), body: sent });
      const { status = 200, body: answer } = answers.length > 1 ? answers.shift()! : answers[0]!;
      return new Response(JSON.stringify(answer), { status });
    },
    clock: manualClock('2026-03-02T12:00:00.000Z'),
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

const delivery = (rest: object = {}) => ({
  id: evt,
  destination: app,
  kind: 'app',
  type: 'member.left',
  at: '2026-03-01T12:00:00.000Z',
  status: 'failed',
  attempt_count: 10,
  last_error: 'http_5xx',
  ...rest,
});
const destination = (rest: object = {}) => ({
  id: app,
  kind: 'app',
  origin: 'https://planner.example',
  status: 'disabled',
  owner: 'Team Planner',
  waiting: 3,
  failing_since: '2026-02-25T10:00:00.000Z',
  last_error: 'timeout',
  ...rest,
});
const pageOf = (name: string, entries: unknown[], next_cursor: string | null = null) => ({
  body: { [name]: entries, next_cursor },
});
const asked = () => received.map(({ method, url }) => `${method} ${url.pathname}${url.search}`);

describe('hearth delivery list', () => {
  test('filters the deliveries by the given options', async () => {
    answers = [
      pageOf('deliveries', [
        delivery(),
        delivery({ status: 'waiting', next_attempt_at: '2026-03-02T13:00:00Z', last_error: undefined }),
      ]),
    ];
    const { code, printed } = await hearth(
      ...['delivery', 'list', '--status', 'failed', '--app', app, '--since', '2d', '--limit', '5'],
    );
    expect(code).toBe(0);
    expect(printed.split('\n')).toEqual([
      expect.stringMatching(/^AT +TO +EVENT +TYPE +STATUS +TRIES +LAST ERROR +NEXT TRY$/),
      `2026-03-01T12:00:00Z  ${app}  ${evt}  member.left  failed   10     http_5xx    -`,
      `2026-03-01T12:00:00Z  ${app}  ${evt}  member.left  waiting  10     -           2026-03-02T13:00:00Z`,
    ]);
    const [{ url }] = received as [(typeof received)[0]];
    expect(url.pathname).toBe('/v0/admin/deliveries');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      status: 'failed',
      destination: app,
      since: '2026-02-28T12:00:00.000Z',
      limit: '6',
    });
  });

  test('reads pages up to the limit, and reports that there are more', async () => {
    const first = Array.from({ length: 60 }, () => delivery());
    answers = [pageOf('deliveries', first, 'c&1'), pageOf('deliveries', first, 'c2')];
    const { printed } = await hearth('delivery', 'list');
    expect(asked()).toEqual([
      'GET /v0/admin/deliveries?limit=100',
      'GET /v0/admin/deliveries?limit=100&cursor=c%261',
    ]);
    const lines = printed.split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([1 + 100 + 2, expect.stringContaining('More results')]);
  });

  test('prints JSON for programs, up to the limit', async () => {
    answers = [pageOf('deliveries', [delivery(), delivery({ type: '\u202eevil' }), delivery()])];
    const { printed } = await hearth('delivery', 'list', '--json', '--limit', '2');
    expect(JSON.parse(printed)).toEqual([delivery(), delivery({ type: '\u202eevil' })]);
    expect(printed).not.toContain('\u202e');
  });

  test('reports an empty list', async () => {
    answers = [pageOf('deliveries', [])];
    expect((await hearth('delivery', 'list')).printed).toContain('No matching deliveries');
    expect((await hearth('delivery', 'failed')).printed).toBe('No failed deliveries.');
    expect((await hearth('delivery', 'list', '--json')).printed).toBe('[]');
  });

  test.each([
    [
      ['list', '--status', 'lost'],
      '--status is "lost"; expected one of waiting, delivered, failed, not_sent',
    ],
    [['list', '--since', 'yesterday'], '--since is "yesterday"; expected a time'],
    [['list', '--since', '2026-03-01T12:00:00'], '--since is'],
    [['list', '--since', '2026-13-41'], '--since is'],
    [['list', '--limit', '0'], '--limit is "0"; expected a whole number from 1 to 10000'],
    [['list', '--limit', '1e3'], '--limit is'],
    [['list', '--app', app, '--subscription', sub], 'use either --app or --subscription'],
    [['failed', '--status', 'failed'], "Unknown option '--status'"],
    [['destinations', '--status', 'dead'], '--status is "dead"; expected one of active'],
    [['show', app], '<event> is required'],
    [['replay', '--since', '2d', '--reason', 'x'], '--app is required'],
    [['replay', '--app', app, '--reason', 'x'], '--event or --since is required'],
    [['replay', '--app', app, '--since', '2d'], '--reason is required'],
    [
      ['replay', '--app', app, '--event', evt, '--since', '2d', '--reason', 'x'],
      '--since cannot be used with --event',
    ],
    [['replay', '--app', app, '--event', evt], '--reason is required'],
    [['resume', '--reason', 'x'], '<destination> is required'],
    [['resume', app], '--reason is required'],
    [['resume', app, '--reason', ' '], '--reason is required'],
  ])('delivery %j is a usage error', async (line, words) => {
    answers = [{ body: {} }];
    const { code, printed, complained } = await hearth('delivery', ...line);
    expect([code, printed, complained]).toEqual([2, '', expect.stringContaining(words)]);
    expect(received).toEqual([]);
  });
});

test('hearth delivery failed lists the dead letters', async () => {
  answers = [pageOf('deliveries', [delivery({ kind: 'mail' })])];
  const { printed } = await hearth('delivery', 'failed', '--since', '2026-03-01', '--subscription', sub);
  expect(printed).toContain('http_5xx');
  expect(Object.fromEntries(received[0]!.url.searchParams)).toEqual({
    status: 'failed',
    destination: sub,
    since: '2026-03-01T00:00:00.000Z',
    limit: '100',
  });
});

test('hearth delivery destinations shows failing destinations', async () => {
  const other = destination({
    id: sub,
    kind: 'subscription',
    owner: '@ada.ai-helper\u001b[2J',
    event: 'message.direct',
    status: 'active',
    origin: undefined,
    failing_since: undefined,
    last_error: undefined,
    waiting: 1_000,
    last_delivery_at: '2026-03-02T11:59:59.123Z',
  });
  answers = [pageOf('destinations', [destination(), other])];
  const { printed } = await hearth('delivery', 'destinations', '--status', 'failing');
  expect(asked()).toEqual(['GET /v0/admin/deliveries/destinations?status=failing&limit=100']);
  const [, first = '', second = ''] = printed.split('\n');
  expect(first.split(/ {2,}/)).toEqual([
    app,
    'Team Planner',
    'app events',
    'https://planner.example',
    'disabled',
    '2026-02-25T10:00:00Z',
    'timeout',
    '3',
    '-',
  ]);
  expect(second.split(/ {2,}/)).toEqual(
    [sub, '@ada.ai-helper[2J', 'message.direct', '-', 'active', '-', '-', '1000+'].concat(
      '2026-03-02T11:59:59Z',
    ),
  );
});

test('hearth delivery show prints each attempt', async () => {
  const attempts = [
    { at: '2026-03-01T12:00:00.500Z', status: 503, ms: 12, error: 'http_5xx' },
    { at: '2026-03-01T12:00:06.000Z', ms: 10_000, error: 'timeout' },
    { at: '2026-03-01T12:05:06.000Z', status: 200, ms: 9 },
  ];
  answers = [{ body: delivery({ attempts }) }];
  const { printed } = await hearth('delivery', 'show', app, evt);
  expect(asked()).toEqual([`GET /v0/admin/deliveries/${app}/${evt}`]);
  expect(printed).toContain(`to          the app ${app}`);
  expect(printed.split('\n').slice(-4)).toEqual([
    'ATTEMPT               HTTP  TOOK      RESULT',
    '2026-03-01T12:00:00Z  503   12 ms     http_5xx',
    '2026-03-01T12:00:06Z  -     10000 ms  timeout',
    '2026-03-01T12:05:06Z  200   9 ms      delivered',
  ]);
  await hearth('delivery', 'show', '../x', 'y?z');
  expect(received.at(-1)!.url.href).toBe(`${site}/v0/admin/deliveries/..%2Fx/y%3Fz`);
});

describe('hearth delivery replay', () => {
  test('resends the events of a time range', async () => {
    answers = [{ body: { replayed: 2 } }];
    const { code, printed } = await hearth(
      ...['delivery', 'replay', '--app', app, '--since', '6h', '--until', '2026-03-02T11:00:00+01:00'],
      ...['--type', 'member.left', '--type', 'member.joined', '--status', 'failed', '--reason', 'It is back'],
    );
    expect([code, printed]).toEqual([0, expect.stringContaining('Resending 2 events.')]);
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: { pathname: '/v0/admin/deliveries/replay' },
      body: {
        app,
        since: '2026-03-02T06:00:00.000Z',
        until: '2026-03-02T10:00:00.000Z',
        types: ['member.left', 'member.joined'],
        status: 'failed',
        reason: 'It is back',
      },
    });
  });

  test('resends one event, and reports when it does not exist', async () => {
    answers = [{ body: { replayed: 1 } }, { body: { replayed: 0 } }];
    const one = ['delivery', 'replay', '--app', app, '--event', evt, '--reason', 'It is back'];
    expect((await hearth(...one)).printed).toContain('Resending 1 event.');
    expect(received[0]!.body).toEqual({ app, event: evt, reason: 'It is back' });
    expect((await hearth(...one)).printed).toContain('Nothing to resend');
    expect(JSON.parse((await hearth(...one, '--json')).printed)).toEqual({ replayed: 0 });
  });

  test('prints the reason that the home gives for a refusal', async () => {
    answers = [{ status: 400, body: { error: "the app's webhook address is disabled; resume it first" } }];
    const line = ['delivery', 'replay', '--app', app, '--since', '2d', '--reason', 'x'];
    expect(await hearth(...line)).toMatchObject({
      code: 1,
      printed: '',
      complained: "request refused (400): the app's webhook address is disabled; resume it first",
    });
  });
});

test('hearth delivery resume reactivates an address', async () => {
  answers = [
    { body: destination({ status: 'active' }) },
    { body: destination({ id: sub, kind: 'subscription' }) },
  ];
  const { printed } = await hearth('delivery', 'resume', app, '--reason', 'It is back');
  expect(printed).toContain('The destination of Team Planner at https://planner.example is active.');
  expect(printed).toContain(`hearth delivery replay --app ${app}`);
  expect(received[0]).toMatchObject({
    method: 'POST',
    url: { pathname: `/v0/admin/deliveries/destinations/${app}/resume` },
    body: { reason: 'It is back' },
  });
  expect((await hearth('delivery', 'resume', sub, '--reason', 'x')).printed).not.toContain('replay');
  expect(JSON.parse((await hearth('delivery', 'resume', sub, '--reason', 'x', '--json')).printed).id).toBe(
    sub,
  );
});

describe('emails and callbacks', () => {
  const per = `per_${'0'.repeat(31)}4`;
  const server = {
    id: 'mail',
    kind: 'mail',
    origin: 'smtp://mail.example:587',
    status: 'failing',
    owner: '',
    waiting: 12,
    last_error: 'mail_refused',
  };

  test('are destinations with a type of their own', async () => {
    const callback = { id: per, kind: 'callback', status: 'active', owner: per, waiting: 1 };
    answers = [pageOf('destinations', [server, callback])];
    const { printed } = await hearth('delivery', 'destinations');
    const [, first, second] = printed.split('\n');
    expect(first).toMatch(/^mail +- +email +smtp:\/\/mail\.example:587 +failing +- +mail_refused +12 +-$/);
    expect(second).toMatch(new RegExp(`^${per} +${per} +ask outcomes +- +active +- +- +1 +-$`));
  });

  test('are listed, shown, resumed and replayed by their destination', async () => {
    answers = [pageOf('deliveries', [delivery({ destination: 'mail', kind: 'mail' })])];
    await hearth('delivery', 'failed', '--to', 'mail');
    expect(asked()).toEqual(['GET /v0/admin/deliveries?status=failed&destination=mail&limit=100']);
    answers = [{ body: delivery({ destination: 'mail', kind: 'mail' }) }];
    expect((await hearth('delivery', 'show', 'mail', evt)).printed).toMatch(/^to +an email$/m);
    answers = [{ body: server }];
    expect((await hearth('delivery', 'resume', 'mail', '--reason', 'x')).printed).toBe(
      'Retrying all pending emails.',
    );
    answers = [{ body: { replayed: 2 } }];
    const { printed } = await hearth('delivery', 'replay', '--to', per, '--since', '1d', '--reason', 'x');
    expect(printed).toContain('Resending 2 deliveries.');
    expect(received.at(-1)!.body).toEqual({
      destination: per,
      since: '2026-03-01T12:00:00.000Z',
      reason: 'x',
    });
  });

  test.each([
    [['list', '--app', app, '--to', 'mail'], 'use only one of --to, --app and --subscription'],
    [['replay', '--app', app, '--to', 'mail', '--since', '1d', '--reason', 'x'], 'use either --app or --to'],
  ])('delivery %j is a usage error', async (line, words) => {
    answers = [{ body: {} }];
    const { code, complained } = await hearth('delivery', ...line);
    expect([code, complained]).toEqual([2, expect.stringContaining(words)]);
  });
});
