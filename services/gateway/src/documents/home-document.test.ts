import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { manualClock, minute, second } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { expect, test } from '@jest/globals';
import { createHomeDocument } from './home-document.ts';

const clock = manualClock('2026-07-01T00:00:00Z');

const listeners: (() => void)[] = [];
const bus = {
  onSignal: (_: string, listener: (payload: Uint8Array) => void) => {
    listeners.push(() => listener(new Uint8Array()));
    return { stop: async () => {} };
  },
  onReconnect: () => {},
};

function source(answer: () => object | Promise<never>) {
  let asked = 0;
  const document = createHomeDocument({
    federation: {
      getHomeDocument: async () => {
        asked += 1;
        return { json: `{"n":${asked}}`, etag: `tag-${asked}`, ...(await answer()) } as never;
      },
    },
    clock,
    bus,
  });
  return { document, asked: () => asked };
}

test('is kept for a minute', async () => {
  const { document } = source(() => ({}));
  expect(await document()).toEqual({ json: '{"n":1}', etag: '"tag-1"' });
  clock.advance(minute - 1);
  expect((await document()).json).toBe('{"n":1}');
  clock.advance(1);
  expect((await document()).json).toBe('{"n":2}');
});

test('is cached no longer than it is valid', async () => {
  const { document, asked } = source(() => ({ validUntil: timestampFromMs(clock.now() + second) }));
  await document();
  clock.advance(second);
  await document();
  expect(asked()).toBe(2);
});

test('a failure is not kept', async () => {
  let fails = true;
  const { document } = source(() => (fails ? Promise.reject(unavailable('federation is away')) : {}));
  await expect(document()).rejects.toThrow('federation is away');
  fails = false;
  expect((await document()).json).toBe('{"n":2}');
});

test("is fetched again when the home's keys change, even during a fetch", async () => {
  const { document } = source(() => ({}));
  await document();
  for (const changed of listeners) changed();
  expect((await document()).json).toBe('{"n":2}');
  const { promise, resolve } = Promise.withResolvers<object>();
  const slow = source(() => promise);
  const first = slow.document();
  for (const changed of listeners) changed();
  resolve({});
  expect((await first).json).toBe('{"n":1}');
  expect((await slow.document()).json).toBe('{"n":2}');
});
