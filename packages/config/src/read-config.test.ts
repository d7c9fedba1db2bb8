import { inspect } from 'node:util';
import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import {
  ConfigError,
  connectionUrl,
  type Declaration,
  type Environment,
  integer,
  list,
  oneOf,
  optionalText,
  origin,
  type ReadOptions,
  readConfig,
  Secret,
  secret,
} from './index.ts';

const help = 'For the test.';

function mistakesOf<D extends Declaration>(
  env: Environment,
  declaration: D,
  options: ReadOptions<never> = {},
) {
  try {
    readConfig(env, declaration, options as object);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the environment was taken as it is');
}

const declaration = {
  port: integer('PORT', { help, min: 0, max: 65_535, default: 8080 }),
  site: origin('SITE', { help, default: ({ port }: { port: number }) => `http://localhost:${port}` }),
  level: oneOf('LEVEL', ['low', 'high'], { help, default: 'low' }),
  names: list('NAMES', { help }),
  key: secret('KEY', { help }),
  database: connectionUrl('DATABASE', { help, protocols: ['postgres:'] }),
};

describe('readConfig', () => {
  test('applies the defaults, also one computed from an earlier value', () => {
    const config = readConfig({ PORT: '8081' }, declaration);
    expect(config).toEqual({
      port: 8081,
      site: 'http://localhost:8081',
      level: 'low',
      names: [],
      key: undefined,
      database: undefined,
    });
    const port: number = config.port;
    const level: 'low' | 'high' = config.level;
    expect([port, level]).toEqual([8081, 'low']);
  });

  test('reads the given values, trimmed', () => {
    const config = readConfig(
      {
        SITE: ' https://home.example/ ',
        LEVEL: 'high',
        NAMES: 'a, b,,a',
        KEY: 'k3y',
        DATABASE: 'postgres://u:p@h/d',
      },
      declaration,
    );
    expect(config.site).toBe('https://home.example');
    expect(config.level).toBe('high');
    expect(config.names).toEqual(['a', 'b']);
    expect(config.key?.reveal()).toBe('k3y');
    expect(config.database?.reveal()).toBe('postgres://u:p@h/d');
  });

  test('treats an empty variable as missing', () => {
    expect(readConfig({ PORT: '', KEY: '  ' }, declaration)).toMatchObject({ port: 8080, key: undefined });
  });

  test('lists every mistake at once, each with the value and the expectation', () => {
    const error = mistakesOf({ PORT: '80a', LEVEL: 'middle', SITE: 'home.example' }, declaration);
    expect(isHearthError(error) && error.kind).toBe('bad_request');
    expect(error.message).toBe(
      [
        '3 invalid settings:',
        '  PORT is "80a"; expected a whole number from 0 to 65535',
        '  SITE is "home.example"; expected an http or https URL without a path, such as https://home.example',
        '  LEVEL is "middle"; expected one of low, high',
      ].join('\n'),
    );
  });

  test('reports no second mistake for a default computed from an invalid value', () => {
    const rules = [
      { uses: ['site'] as const, check: () => ({ variable: 'SITE', problem: 'x', expected: 'y' }) },
    ];
    expect(
      mistakesOf({ PORT: '80a' }, declaration, { rules }).mistakes.map(({ variable }) => variable),
    ).toEqual(['PORT']);
  });

  test('computes defaults from earlier declarations only', () => {
    const { port, site } = declaration;
    expect(() => readConfig({}, { site, port })).toThrow('needs port declared before it');
  });

  test.each(['-1', '65536', '1e3', '0x10', '8080.5', '九', '99999999999999999999'])(
    'refuses the port %s',
    (PORT) => {
      expect(mistakesOf({ PORT }, declaration).mistakes).toHaveLength(1);
    },
  );

  test.each([
    ['KEY', 'two words'],
    ['DATABASE', 'postgres//user:hunter2@host/name'],
    ['DATABASE', 'mysql://user:hunter2@host/name'],
    ['SITE', 'https://user:hunter2@home.example'],
  ])('never shows the value of %s', (name, value) => {
    const { message } = mistakesOf({ [name]: value }, declaration);
    expect(message).toContain(name);
    expect(message).not.toMatch(/hunter2|two words/);
  });

  test('truncates and escapes the values that it quotes', () => {
    const { message } = mistakesOf({ LEVEL: `a\n\u001b[31m${'x'.repeat(500)}` }, declaration);
    expect(message).toContain('"a\\n\\u001b[31mxxx');
    expect(message.length).toBeLessThan(250);
  });
});

describe('a secret from a file', () => {
  const files: Record<string, string> = { '/run/key': 'from-file\n', '/run/empty': '\n' };
  const readFile = (path: string) => {
    const content = files[path];
    if (content === undefined) throw new Error('ENOENT: no such file');
    return content;
  };

  test('is its trimmed content', () => {
    expect(readConfig({ KEY_FILE: '/run/key' }, declaration, { readFile }).key?.reveal()).toBe('from-file');
  });

  test('is a mistake beside the secret itself, and neither value is shown', () => {
    const { message } = mistakesOf({ KEY: 'direct-value', KEY_FILE: '/run/key' }, declaration, { readFile });
    expect(message).toContain('KEY and KEY_FILE are both set; expected only one of them');
    expect(message).not.toMatch(/direct-value|from-file/);
  });

  test('is a mistake when the file is missing or empty, or files cannot be read', () => {
    expect(mistakesOf({ KEY_FILE: '/run/none' }, declaration, { readFile }).message).toContain('ENOENT');
    expect(mistakesOf({ KEY_FILE: '/run/empty' }, declaration, { readFile }).message).toContain(
      'which is empty',
    );
    expect(mistakesOf({ KEY_FILE: '/run/key' }, declaration).message).toContain('cannot be read');
  });
});

describe('rules between keys', () => {
  const pair = {
    low: integer('LOW', { help, min: 0, max: 9, default: 1 }),
    high: integer('HIGH', { help, min: 0, max: 9, default: 5 }),
  };
  const rules = [
    {
      uses: ['low', 'high'] as const,
      check: ({ low, high }: { low: number; high: number }) =>
        low > high ? { variable: 'LOW', problem: `is ${low}`, expected: `at most HIGH, ${high}` } : undefined,
    },
  ];

  test('are checked together with the other mistakes, but not for values that could not be read', () => {
    expect(readConfig({}, pair, { rules })).toEqual({ low: 1, high: 5 });
    expect(() => readConfig({ LOW: '6' }, pair, { rules })).toThrow('LOW is 6; expected at most HIGH, 5');
    expect(() => readConfig({ LOW: '6', HIGH: 'x' }, pair, { rules })).toThrow('1 invalid setting:\n  HIGH');
  });
});

describe('reserved prefixes', () => {
  const reserved = { home: optionalText('HOME_NAME', { help }), key: secret('HOME_KEY', { help }) };
  const reservedPrefixes = ['HOME_'];

  test('a misspelt variable is a mistake that names the nearest one', () => {
    const { message } = mistakesOf({ HOME_NAEM: 'x', OTHER: 'y' }, reserved, { reservedPrefixes });
    expect(message).toBe(
      '1 invalid setting:\n  HOME_NAEM is not a setting; expected a known setting; did you mean HOME_NAME?',
    );
    expect(mistakesOf({ HOME_KEY_FIEL: 'x' }, reserved, { reservedPrefixes }).message).toContain(
      'HOME_KEY_FILE',
    );
  });

  test('only secrets can be read from a file', () => {
    expect(mistakesOf({ HOME_NAME_FILE: 'x' }, reserved, { reservedPrefixes }).mistakes[0]?.variable).toBe(
      'HOME_NAME_FILE',
    );
  });

  test('variables that Kubernetes adds for neighbouring services are ignored', () => {
    const added = {
      HOME_GATEWAY_SERVICE_HOST: '10.0.0.1',
      HOME_GATEWAY_SERVICE_PORT: '80',
      HOME_GATEWAY_SERVICE_PORT_HTTP: '80',
      HOME_GATEWAY_PORT: 'tcp://10.0.0.1:80',
      HOME_GATEWAY_PORT_80_TCP: 'tcp://10.0.0.1:80',
      HOME_GATEWAY_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(readConfig(added, reserved, { reservedPrefixes })).toEqual({});
    expect(mistakesOf({ HOME_PORT: '80' }, reserved, { reservedPrefixes }).mistakes).toHaveLength(1);
  });
});

describe('a Secret', () => {
  const value = new Secret('hunter2');

  test('returns its value from reveal only', () => {
    const shown = [
      String(value),
      `${value}`,
      JSON.stringify({ value }),
      inspect({ value }, { depth: 9, showHidden: true }),
      Object.values(value).join(),
    ];
    expect(shown.join('\n')).not.toContain('hunter2');
    expect(JSON.stringify({ value })).toBe('{"value":"[secret]"}');
    expect(value.reveal()).toBe('hunter2');
  });

  test('compares itself with a candidate', () => {
    expect(value.matches('hunter2')).toBe(true);
    expect(value.matches('hunter')).toBe(false);
    expect(value.matches('')).toBe(false);
  });
});
