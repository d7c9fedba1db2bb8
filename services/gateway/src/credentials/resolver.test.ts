import { createLocalBus } from '@hearth/bus';
import { manualClock, minute, second } from '@hearth/clock';
import { rateLimited, unavailable } from '@hearth/errors';
import type { ResolveCredentialResponse } from '@hearth/proto/identity/v1/identity';
import { callerKinds } from '@hearth/rpc';
import { createLogger } from '@hearth/telemetry';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Credentials, createCredentials, credentialsSignal } from './resolver.ts';

const clock = manualClock('2026-07-01T00:00:00Z');
const log = createLogger({ level: 'error', service: 'test', stream: { write: () => {} } });
const robin = { kind: callerKinds.AI, id: 'robin', person: 'ann', app: '' };

let asked: number;
let answer: () => Promise<Partial<ResolveCredentialResponse>>;
let bus: ReturnType<typeof createLocalBus>;
let credentials: Credentials;
let reconnect: () => void;

beforeEach(() => {
  asked = 0;
  answer = async () => ({ caller: robin as never });
  bus = createLocalBus({ log });
  reconnect = () => {};
  credentials = createCredentials({
    identity: {
      resolveCredential: async () => {
        asked += 1;
        return { refusal: '', endsAt: 0n, ...(await answer()) } as ResolveCredentialResponse;
      },
    },
    bus: {
      onSignal: bus.onSignal,
      onReconnect: (hear) => {
        reconnect = () => hear({ logLost: false });
      },
    },
    clock,
    operatorKey: 'operator-key',
  });
});

/** Waits for local signals, which arrive in a later turn of the event loop. */
const nextSignals = () => new Promise((resolve) => setTimeout(resolve, 5));
const signal = async (payload: string) => {
  bus.signal(credentialsSignal, Buffer.from(payload));
  await nextSignals();
};

describe('before asking identity', () => {
  const refuse = () => {
    throw rateLimited('unproven_requests_a_minute', new Date());
  };

  test('the caller may refuse, but not for a credential that worked here before', async () => {
    expect(() => credentials.resolve('key', '', refuse)).toThrow('unproven_requests_a_minute');
    expect(asked).toBe(0);
    await credentials.resolve('key');
    clock.advance(minute);
    await credentials.resolve('key', '', refuse);
    expect(asked).toBe(2);
  });

  test('a cached credential is not looked up again', async () => {
    answer = async () => ({ refusal: '' });
    await expect(credentials.resolve('wrong')).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(() => credentials.resolve('wrong', '', refuse)).toThrow(
      expect.objectContaining({ kind: 'unauthenticated' }),
    );
  });
});

describe('a credential that works', () => {
  test('is looked up once a minute', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await credentials.resolve('key')).caller).toMatchObject({ id: 'robin' });
    }
    expect(asked).toBe(1);
    clock.advance(minute);
    await credentials.resolve('key');
    expect(asked).toBe(2);
  });

  test('is looked up once for concurrent requests', async () => {
    await Promise.all(Array.from({ length: 50 }, () => credentials.resolve('key')));
    expect(asked).toBe(1);
  });

  test('ends when it expires', async () => {
    answer = async () => ({ caller: robin as never, endsAt: BigInt(clock.now() + 10 * second) });
    await credentials.resolve('key');
    clock.advance(10 * second);
    await credentials.resolve('key');
    expect(asked).toBe(2);
  });

  test('is looked up again when a day begins, on which the person may be older', async () => {
    clock.set('2026-07-31T21:59:50Z');
    await credentials.resolve('key');
    clock.advance(10 * second);
    await credentials.resolve('key');
    expect(asked).toBe(2);
  });

  test.each([
    ['its AI', 'robin'],
    ['the person behind it', 'ann'],
    ['everybody', ''],
  ])('is forgotten at once when %s changed', async (_, payload) => {
    await credentials.resolve('key');
    await signal(payload);
    await credentials.resolve('key');
    expect(asked).toBe(2);
  });

  test('stays cached when another caller changed', async () => {
    await credentials.resolve('key');
    await signal('wren');
    await credentials.resolve('key');
    expect(asked).toBe(1);
  });

  test('is forgotten when signals may have been missed', async () => {
    await credentials.resolve('key');
    reconnect();
    await credentials.resolve('key');
    expect(asked).toBe(2);
  });

  test('is not cached if it changed during the lookup', async () => {
    const late = Promise.withResolvers<Partial<ResolveCredentialResponse>>();
    answer = () => late.promise;
    const first = credentials.resolve('key');
    await signal('robin');
    late.resolve({ caller: robin as never });
    await first;
    answer = async () => ({ refusal: 'key_revoked' });
    await expect(async () => credentials.resolve('key')).rejects.toMatchObject({
      details: { code: 'key_revoked' },
    });
  });
});

describe('a credential that does not work', () => {
  test('is refused from the cache for five seconds', async () => {
    answer = async () => ({});
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(async () => credentials.resolve('wrong')).rejects.toMatchObject({
        kind: 'unauthenticated',
      });
    }
    expect(asked).toBe(1);
    clock.advance(5 * second);
    answer = async () => ({ caller: robin as never });
    expect((await credentials.resolve('wrong')).caller.id).toBe('robin');
  });

  test('does not evict valid credentials', async () => {
    await credentials.resolve('key');
    answer = async () => ({});
    for (let index = 0; index < 12_000; index += 1) {
      await Promise.resolve(credentials.resolve(`wrong-${index}`)).catch(() => {});
    }
    const before = asked;
    await credentials.resolve('key');
    expect(asked).toBe(before);
  });
});

test('a failure of identity is not cached', async () => {
  answer = () => Promise.reject(unavailable('identity is away'));
  await expect(async () => credentials.resolve('key')).rejects.toMatchObject({ kind: 'unavailable' });
  answer = async () => ({ caller: robin as never });
  expect((await credentials.resolve('key')).caller.id).toBe('robin');
});

test("the operator's key needs no lookup", async () => {
  expect((await credentials.resolve('operator-key')).caller.kind).toBe(callerKinds.OPERATOR);
  expect(asked).toBe(0);
});
