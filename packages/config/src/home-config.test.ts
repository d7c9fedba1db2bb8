import { expect, describe as suite, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ConfigError,
  describe,
  helpText,
  homeDeclaration,
  isHomeNameWithPort,
  isLocalhostName,
  isPublicHomeName,
  markdownTable,
  readHomeConfig,
} from './index.ts';
import { editDistance } from './unknown-variables.ts';

const sealKey = Buffer.alloc(32, 7).toString('base64url');

suite('the settings of a home', () => {
  test('an empty environment is a home on localhost', () => {
    // Plain defaults are in the table of docs/operators/settings.md, which another test checks.
    expect(readHomeConfig({})).toMatchObject({
      port: 8080,
      home: 'localhost:8080',
      siteUrl: 'http://localhost:8080',
      federation: 'open',
      commons: 'closed',
      peers: {},
      consentAges: { default: 16 },
    });
  });

  test('every variable can be set', () => {
    const config = readHomeConfig({
      PORT: '8081',
      HEARTH_TRUSTED_PROXIES: 'loopback, 10.1.2.3,172.16.0.0/12,2001:db8::/32,::1',
      HEARTH_HOME: 'home.example.org',
      HEARTH_SITE_URL: 'https://home.example.org',
      HEARTH_DATA: '/data',
      HEARTH_OPERATOR_KEY: 'the-key-of-the-operator',
      HEARTH_PEER_SECRET: 'p'.repeat(32),
      HEARTH_SEAL_KEY: sealKey,
      DATABASE_URL: 'postgres://u:p@db/hearth',
      NATS_URL: 'nats://nats:4222',
      REDIS_URL: 'rediss://redis:6379',
      PEER_MESSAGES: 'messages:9090',
      PEER_IDENTITY: '[::1]:9090',
      SMTP_URL: 'smtps://mail:465',
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=hunter2',
      HEARTH_LIMITS: '{"writes_a_minute": 20}',
      HEARTH_TIME_ZONE: 'europe/zurich',
      HEARTH_LANGUAGE: 'PT_br',
      HEARTH_CATALOGUES: '/catalogues',
      HEARTH_CONSENT_AGES: '{"US": 13, "gb": 13}',
      PATH: '/bin',
    });
    expect(config.peers).toEqual({ messages: 'messages:9090', identity: '[::1]:9090' });
    expect(config.trustedProxies).toEqual(['loopback', '10.1.2.3', '172.16.0.0/12', '2001:db8::/32', '::1']);
    expect(config.limits).toEqual({ writes_a_minute: 20 });
    expect(config.timeZone).toBe('Europe/Zurich');
    expect([config.language, config.catalogues]).toEqual(['pt-BR', '/catalogues']);
    expect(config.consentAges).toEqual({ default: 16, US: 13, GB: 13 });
    expect(config.openTelemetry).toEqual({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' });
    expect(config.sealKey?.reveal()).toBe(sealKey);
    expect(JSON.stringify(config)).not.toMatch(/hunter2|u:p@db|pppp|of-the-operator/);
  });

  test('capitals, full-width characters and native scripts are normalized', () => {
    expect(
      readHomeConfig({
        PORT: '８０８１',
        HEARTH_HOME: 'Zuhause.München.example',
        HEARTH_SITE_URL: 'HTTPS://Zuhause.München.example/',
        HEARTH_COMMONS: 'Public',
        HEARTH_HOSTS: 'Gateway.Internal, gateway.internal',
        HEARTH_MCP_ORIGINS: 'https://Chat.example/,HTTPS://chat.example',
        HEARTH_TRUSTED_PROXIES: 'Loopback,FD00::/8',
        HEARTH_OPERATORS: `PER_${'0A'.repeat(16)}`,
        LOG_LEVEL: 'DEBUG',
      }),
    ).toMatchObject({
      port: 8081,
      home: 'zuhause.xn--mnchen-3ya.example',
      siteUrl: 'https://zuhause.xn--mnchen-3ya.example',
      commons: 'public',
      hosts: ['gateway.internal'],
      mcpOrigins: ['https://chat.example'],
      trustedProxies: ['loopback', 'fd00::/8'],
      operators: [`per_${'0a'.repeat(16)}`],
      logLevel: 'debug',
    });
    const dev = readHomeConfig({
      HEARTH_DEV_HOMES: 'LOCALHOST:8081',
      HEARTH_DEV_CALLBACKS: 'http://Localhost:80',
    });
    expect([dev.devHomes, dev.devCallbacks]).toEqual([['localhost:8081'], ['http://localhost']]);
  });

  test.each([
    [{ HEARTH_HOME: 'home example.org' }, 'HEARTH_HOME is "home example.org"'],
    [{ HEARTH_HOME: 'home.example.org:8443' }, 'with a port'],
    ...[
      'proxy.example',
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/0',
      'fd00::/129',
      '10.0.0.0/',
      '1.2.3.4:80',
      'local',
    ].map((given) => [{ HEARTH_TRUSTED_PROXIES: `loopback,${given}` }, `not "${given}"`] as const),
    [{ HEARTH_SITE_URL: 'https://home.example.org/v0' }, 'without a path'],
    [{ HEARTH_SEAL_KEY: sealKey.slice(1) }, '32 bytes as base64url'],
    [{ HEARTH_SEAL_KEY: `${sealKey.slice(0, 42)}B` }, '32 bytes as base64url'],
    [{ HEARTH_PEER_SECRET: 'short' }, 'at least 16 characters'],
    [{ HEARTH_TLS_CERT: '/tls.crt', HEARTH_TLS_CA: '/ca.crt' }, 'all three or none'],
    [{ PEER_MESSAGES: 'http://messages:9090' }, 'host:port'],
    [{ PEER_MESSAGES: 'messages:0' }, 'host:port'],
    [{ PEER_MESAGES: 'messages:9090' }, 'did you mean PEER_MESSAGES?'],
    [{ HEARTH_OPERATER_KEY: 'x' }, 'did you mean HEARTH_OPERATOR_KEY?'],
    [{ HEARTH_LIMITS: '{"a":' }, 'a JSON object'],
    [{ HEARTH_LIMITS: '[1]' }, 'a JSON object'],
    [{ HEARTH_LIMITS: '/nowhere/limits.json' }, 'cannot be read'],
    ...['Europe/Atlantis', '+01:00', 'Zurich'].map(
      (given) => [{ HEARTH_TIME_ZONE: given }, `HEARTH_TIME_ZONE is "${given}"`] as const,
    ),
    [{ HEARTH_LANGUAGE: 'German' }, 'a language tag (BCP 47)'],
    ...[
      '{"US":12}',
      '{"US":17}',
      '{"USA":13}',
      '{"US":"13"}',
      '[13]',
      '13',
      '{"US":13.5}',
      '{"default":1',
    ].map((given) => [{ HEARTH_CONSENT_AGES: given }, 'HEARTH_CONSENT_AGES'] as const),
    [
      { HEARTH_LIMITS: 'relaxed', HEARTH_HOME: 'home.example.org' },
      'is "relaxed", but the home is home.example.org',
    ],
    [{ HEARTH_LIMITS: 'relaxed', HEARTH_HOME: 'localhost.example.org' }, 'is "relaxed", but the home is'],
    [{ HEARTH_LIMITS: 'relaxed', HEARTH_HOME: 'my.localhost' }, 'is "relaxed", but the home is'],
    ...['https://real.site', 'https://8.8.8.8', 'https://[2606:4700::1111]'].flatMap(
      (site) =>
        [
          [{ HEARTH_LIMITS: 'relaxed', HEARTH_SITE_URL: site }, 'HEARTH_LIMITS is "relaxed"'],
          [{ HEARTH_DEV_CALLBACKS: 'http://169.254.169.254', HEARTH_SITE_URL: site }, 'HEARTH_DEV_CALLBACKS'],
          [{ HEARTH_SITE_URL: site }, 'HEARTH_HOME is "localhost:8080", but the site is'],
        ] as const,
    ),
    [{ HEARTH_SITE_URL: 'https://example.org', HEARTH_HOME: 'home.example.org' }, 'the host of the site'],
    [
      { HEARTH_SITE_URL: 'https://nothome.example.org', HEARTH_HOME: 'home.example.org' },
      'the host of the site',
    ],
    [{ HEARTH_OPERATOR_KEY: 'x'.repeat(19) }, 'at least 20 characters'],
    [{ HEARTH_HOME: 'my.localhost:8080' }, 'with a port'],
    [{ HEARTH_DEV_HOMES: 'localhost:8081,http://b/c' }, 'not "http://b/c"'],
    [{ HEARTH_DEV_HOMES: 'localhost:8082', HEARTH_HOME: 'home.example.org' }, 'except in development'],
    [
      { HEARTH_DEV_CALLBACKS: 'http://localhost:3000', HEARTH_HOME: 'home.example.org' },
      'except in development',
    ],
    [{ HEARTH_DEV_CALLBACKS: 'http://localhost:3000/path' }, 'not "http://localhost:3000/path"'],
  ])('%j stops the start', (env, words) => {
    expect(() => readHomeConfig(env)).toThrow(ConfigError);
    expect(() => readHomeConfig(env)).toThrow(words);
  });

  test.each([
    [
      '{"writes_a_minute": {"unclaimed": 1}, "reads_a_minute": 1, "writes_a_minute": 2}',
      ['$.writes_a_minute, ', 'stands twice', 'a JSON object'],
    ],
    [
      '{"writes_a_minute": {"unclaimed": 1, "unclaimed": 2}}',
      ['$.writes_a_minute.unclaimed', 'stands twice'],
    ],
    ['{"writes_a_minute": 2', ['a JSON object']],
    ['relaxd', ['points to relaxd', 'expected `relaxed`, a JSON object']],
  ])('HEARTH_LIMITS=%s is refused with the reason and a valid example', (limits, words) => {
    for (const word of words) expect(() => readHomeConfig({ HEARTH_LIMITS: limits })).toThrow(word);
  });

  test('limits may be read from a file', () => {
    const readFile = (path: string) => (path === './limits.json' ? '{"writes_a_minute": 20}\n' : 'relaxed');
    expect(readHomeConfig({ HEARTH_LIMITS: './limits.json' }, { readFile }).limits).toEqual({
      writes_a_minute: 20,
    });
    expect(readHomeConfig({ HEARTH_LIMITS: 'other' }, { readFile }).limits).toBe('relaxed');
  });

  test('development homes may have ports, and may use development switches', () => {
    const env = {
      HEARTH_HOME: 'alpha.test:8081',
      HEARTH_DEV_HOMES: 'alpha.test:8081,beta.test:8082',
      HEARTH_DEV_CALLBACKS: 'http://localhost:3000',
    };
    expect(readHomeConfig(env).devHomes).toEqual(['alpha.test:8081', 'beta.test:8082']);
  });

  test.each([
    'http://192.168.1.5:8080',
    'http://[fd00::1]:8080',
    'http://nas.local',
    'https://www.home.example.org',
  ])('a site at %s is accepted', (site) => {
    const home = site.includes('example') ? 'home.example.org' : 'localhost:8080';
    expect(readHomeConfig({ HEARTH_SITE_URL: site, HEARTH_HOME: home }).siteUrl).toBe(site);
  });

  test('a caller adds the rules of its topology', () => {
    const rules = [
      {
        uses: ['databaseUrl', 'peers'] as const,
        check: ({ databaseUrl, peers }: ReturnType<typeof readHomeConfig>) =>
          databaseUrl === undefined && Object.keys(peers).length > 0
            ? { variable: 'DATABASE_URL', problem: 'is not given', expected: 'it where services run apart' }
            : undefined,
      },
    ];
    expect(() => readHomeConfig({ PEER_MESSAGES: 'm:1', PORT: 'x' }, { rules })).toThrow(
      /^2 invalid settings/,
    );
    expect(readHomeConfig({}, { rules }).databaseUrl).toBeUndefined();
  });
});

suite('addresses of servers', () => {
  test.each([
    ['DATABASE_URL', 'postgres://u:p@s/w@127.0.0.1/db'],
    ['DATABASE_URL', 'postgres://u:12/3@127.0.0.1/db'],
    ['DATABASE_URL', 'postgres://u:12#3@127.0.0.1/db'],
    ['DATABASE_URL', 'postgres://u:12?3@127.0.0.1/db'],
    ['DATABASE_URL', 'postgres://u:50%!@127.0.0.1/db'],
    ['DATABASE_URL', 'postgres://127.0.0.1/db/more'],
    ['NATS_URL', 'nats://u:12/3@127.0.0.1:4222'],
    ['REDIS_URL', 'redis://:1#2@127.0.0.1'],
    ['SMTP_URL', 'smtp://u:1/2@mail.example:25'],
  ])('%s=%s is refused with the expected form, without its value', (name, url) => {
    const read = () => readHomeConfig({ [name]: url });
    expect(read).toThrow(/%2F/);
    expect(read).not.toThrow(url);
  });

  test.each([
    'postgres://u:p%2Fs%40w@127.0.0.1/db',
    'postgres://u:p@ss@127.0.0.1:5432/db?sslmode=verify-full',
    'postgres://u@127.0.0.1',
    'postgres://u:p@[::1]/db?host=/var/run/postgresql',
  ])('%s is accepted', (url) => {
    expect(readHomeConfig({ DATABASE_URL: url }).databaseUrl?.reveal()).toBe(url);
  });
});

suite('names of homes', () => {
  test.each(['localhost', 'localhost:8081', 'a-b.example', 'xn--bcher-kva.example', 'x'.repeat(63)])(
    '%s is a home name',
    (name) => {
      expect(isHomeNameWithPort(name)).toBe(true);
    },
  );
  test.each([
    '',
    'A.example',
    '-a.example',
    'a-.example',
    'a..b',
    'a.example.',
    'a:0',
    'a:65536',
    'a:1:2',
    '[::1]',
    'bücher.example',
    'x'.repeat(64),
  ])('%s is not a home name', (name) => expect(isHomeNameWithPort(name)).toBe(false));
  test.each(['localhost', 'localhost:1', 'localhost:8080'])('%s is localhost', (name) => {
    expect(isLocalhostName(name)).toBe(true);
  });
  test.each([
    'my.localhost',
    'localhost.example',
    'localhost2',
    'localhost:',
    'localhost:0',
    'localhost:80.example',
    'localhost:80:80',
    'localhost\n',
    'localhost:80\n',
    'LOCALHOST',
  ])('%j is not localhost', (name) => {
    expect(isLocalhostName(name)).toBe(false);
  });
  test('only names that the internet can resolve are public', () => {
    const names = [
      'home.example.org',
      'localhost',
      'a.localhost',
      'a.test',
      '127.0.0.1',
      'home.example.org:8443',
    ];
    expect(names.filter(isPublicHomeName)).toEqual(['home.example.org']);
  });
});

suite('the manual', () => {
  const rows = describe(homeDeclaration);

  test('has one row for each variable, with meaning, default and unit', () => {
    const names = rows.map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
    expect(rows.find((row) => row.name === 'HEARTH_HOME')).toMatchObject({
      default: 'localhost:<PORT>',
      unit: 'name',
    });
    expect(rows.find((row) => row.name === 'HEARTH_DEV_HOMES')).toMatchObject({ default: 'none' });
    for (const row of rows) expect([row.meaning, row.default, row.unit]).not.toContain('');
  });

  test('is printed as a Markdown table and for --help', () => {
    const table = markdownTable(rows).trimEnd().split('\n');
    expect(table).toHaveLength(rows.length + 2);
    for (const line of table) expect(line.replaceAll('\\|', '').split('|')).toHaveLength(6);
    expect(
      markdownTable([{ name: 'A', meaning: 'x | y\nz', default: '1', unit: 'u', fromFile: true }]),
    ).toContain('| `A`, `A_FILE` | x \\| y z | u | 1 |');
    expect(helpText(rows)).toContain('PORT  [port; default: 8080]\n    Port');
  });
});

test('the edit distance is a metric', () => {
  const word = fc.string({ unit: fc.constantFrom('A', 'B', '_'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
  expect(editDistance('kitten', 'sitting')).toBe(3);
});
