import { create, toBinary } from '@bufbuild/protobuf';
import type { Bus, ConsumeOptions } from '@hearth/bus';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { expect, test } from '@jest/globals';
import { startConsumer } from './consume.ts';

const encoded = (id: string) => toBinary(EventSchema, create(EventSchema, { id }));

test('many events are handled in slices, with pauses for other work', async () => {
  let handle: ConsumeOptions['handle'] | undefined;
  const bus = {
    async consume(options: ConsumeOptions) {
      handle = options.handle;
      return { async stop() {} };
    },
  } as unknown as Bus;
  const seen: string[][] = [];
  const partsAtTurn: number[] = [];
  await startConsumer(bus, {
    durable: 'test',
    types: [],
    async handle(events) {
      seen.push(events.map(({ event }) => event.id));
      setImmediate(() => partsAtTurn.push(seen.length));
    },
  });
  const ids = Array.from({ length: 250 }, (_, index) => `${index}`);
  await handle!(ids.map(encoded), 1);
  expect(seen.map((part) => part.length)).toEqual([100, 100, 50]);
  expect(seen.flat()).toEqual(ids);
  expect(partsAtTurn.slice(0, 2)).toEqual([1, 2]);
});

test.each(['accountDeleted', 'account_delted'])(
  'a consumer of the undeclared type %s does not start',
  async (type) => {
    const bus = { consume: async () => ({ async stop() {} }) } as unknown as Bus;
    const consumer = { durable: 'test', async handle() {} };
    await expect(startConsumer(bus, { ...consumer, types: ['account_deleted', type] })).rejects.toThrow(
      `test consumes ${type}, which is no case of Event.data`,
    );
  },
);
