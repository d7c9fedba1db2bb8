import { HearthError, internal } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import { createLogger, type LogLevel, span } from './index.ts';
import { readableLine } from './readable-stream.ts';
import { recordTelemetry } from './testing.ts';

function capture(level: LogLevel = 'debug') {
  const lines: string[] = [];
  const logger = createLogger({ level, service: 'messages', stream: { write: (line) => lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') };
}

describe('a log line', () => {
  test('is JSON with time, level, service, message and fields', () => {
    const { logger, last, lines } = capture('info');
    logger.info({ count: 3, empty: undefined, when: new Date(0), big: 2n ** 64n }, 'sent');
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'messages',
      msg: 'sent',
      count: 3,
      when: '1970-01-01T00:00:00.000Z',
      big: '18446744073709551616',
    });
    logger.debug('not at this level');
    expect(lines).toHaveLength(1);
    expect([logger.isLevelEnabled('debug'), logger.isLevelEnabled('warn')]).toEqual([false, true]);
  });

  test('has the ids of the active span, in child loggers too, and none without a span', async () => {
    const telemetry = await recordTelemetry();
    try {
      const { logger, last } = capture();
      const child = logger.child({ part: 'relay' });
      await span('work', {}, async (active) => {
        child.info('within');
        const { traceId, spanId } = active.spanContext();
        expect(last()).toMatchObject({ part: 'relay', trace_id: traceId, span_id: spanId });
      });
      child.info('after');
      expect(last()).not.toHaveProperty('trace_id');
    } finally {
      await telemetry.stop();
    }
  });
});

describe('redaction', () => {
  const value = 'hunter2';

  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'connector_key',
    'key',
    'secret',
    'password',
    'token',
    'body',
    'operatorKey',
    'x-api-key',
    'refresh_token',
    'clientSecret',
    'request_body',
  ])('hides %s at any depth, in lines and in child loggers', (name) => {
    const { logger, lines } = capture();
    logger.error(
      { [name]: value, a: { [name]: { nested: value }, list: [{ deep: { er: { [name]: value } } }] } },
      'x',
    );
    logger
      .child({ [name]: value, a: [{ [name]: value }] })
      .child({ b: { [name]: [value] } })
      .info({ [name]: value }, 'x');
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain(value);
    expect(lines.join().match(/\[redacted\]/g)).toHaveLength(7);
  });

  test('leaves other names alone', () => {
    const { logger, last } = capture();
    logger.info({ keys: 2, monkey: 'x', tokenised: 1, keyboard: 'y' }, 'x');
    expect(last()).toMatchObject({ keys: 2, monkey: 'x', tokenised: 1, keyboard: 'y' });
  });

  test('hides credentials in URLs, counts bytes, and trusts values with their own serialization', () => {
    const { logger, last } = capture();
    const own = { toJSON: () => '[secret]', value };
    const map = new Map([['password', value]]);
    logger.info(
      { url: `postgres://u:${value}@db/x?a=b@c`, bytes: Buffer.from(value), own, map, set: new Set([1]) },
      'x',
    );
    expect(last()).toMatchObject({
      url: 'postgres://[redacted]@db/x?a=b@c',
      bytes: '[7 bytes]',
      own: '[secret]',
      map: { password: '[redacted]' },
      set: [1],
    });
  });

  test('truncates unbounded values', () => {
    const { logger, last, lines } = capture();
    const ring: Record<string, unknown> = {};
    ring.ring = ring;
    logger.info({ ring, many: Array.from({ length: 1_000 }, (_, index) => index) }, 'x');
    expect(last().many).toHaveLength(101);
    expect(lines[0]?.length).toBeLessThan(2_000);
  });

  test('does not modify its arguments', () => {
    const fields = { token: value, nested: { key: value } };
    capture().logger.info(fields, 'x');
    expect(fields).toEqual({ token: value, nested: { key: value } });
  });
});

describe('errors in the log', () => {
  const driverError = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (mail)=(a@b.example)',
    password: 'x',
  });

  test('include the stack and causes at error level', () => {
    const { logger, last } = capture();
    logger.error(
      { err: internal('cannot store', new Error('insert failed', { cause: driverError })) },
      'send failed',
    );
    const { err } = last();
    expect(err).toMatchObject({
      type: 'HearthError',
      kind: 'internal',
      code: 'internal',
      message: 'cannot store',
    });
    expect(err.stack).toContain('logger.test.ts');
    expect(err.cause.message).toBe('insert failed');
    expect(err.cause.cause).toMatchObject({
      message: 'duplicate key',
      code: '23505',
      stack: expect.any(String),
    });
    expect(JSON.stringify(err)).not.toContain('a@b.example');
  });

  test('omit the stack and causes below error level', () => {
    const { logger, last } = capture();
    logger.warn(
      { err: new HearthError('bad_request', 'no', { code: 'bad_field', field: 'to', cause: driverError }) },
      'x',
    );
    expect(last().err).toEqual({
      type: 'HearthError',
      kind: 'bad_request',
      code: 'bad_field',
      field: 'to',
      message: 'no',
    });
  });

  test('are serialized under any key, alone and together', () => {
    const { logger, last } = capture();
    logger.error(new AggregateError([new Error('one'), 'two'], 'both'), 'x');
    expect(last().err.errors.map((error: Error) => error.message)).toEqual(['one', 'two']);
    logger.info({ results: [new Error('postgres://u:pw@h failed')] }, 'x');
    expect(last().results).toEqual([{ type: 'Error', message: 'postgres://[redacted]@h failed' }]);
  });

  test('a circular cause ends', () => {
    const error = new Error('ring');
    error.cause = error;
    const { logger, last } = capture();
    logger.error({ err: error }, 'x');
    expect(last().err.cause.cause.message).toBe('ring');
  });
});

test('a terminal gets readable lines', () => {
  const { logger, lines } = capture();
  logger.info({ to: 'anna@home.example', text: 'two words' }, 'sent');
  logger.error({ err: new Error('away') }, 'failed');
  expect(readableLine(lines[0]!)).toMatch(
    /^\d\d:\d\d:\d\d info {2}messages {2}sent {2}to=anna@home.example {2}text="two words"\n$/,
  );
  expect(readableLine(lines[1]!)).toMatch(/error messages {2}failed\n {4}Error: away\n {8}at /);
});
