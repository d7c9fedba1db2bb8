import { timestampMs } from '@bufbuild/protobuf/wkt';
import { hour } from '@hearth/clock';
import { createLanguages, english } from '@hearth/i18n';
import { parseId } from '@hearth/ids';
import { readLimits } from '@hearth/limits';
import type { Event, PersonNotified } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { onNotified } from '../src/notices/consumers/on-notified.ts';
import { asked } from './noticed-events.ts';
import { ids, newPerson } from './stand-ins.ts';
import { startDelivery } from './start-delivery.ts';

const home = await startDelivery();
afterAll(() => home.stop());

const rest = 12 * hour;
const start = Date.parse('2026-03-01T00:00:00.000Z');

function notified({ id, at, data }: Event) {
  const { item } = data.value as PersonNotified;
  return { event: parseId('evt', id)!, item, at: timestampMs(at!) };
}

/** Returns the times of the notices for batches of events, by item, in the order of the batches. */
async function notifiedOf(batches: readonly Event[][], ada: PersonFacts): Promise<Map<string, number[]>> {
  const given = new Map<string, number[]>();
  const context = {
    database: home.database,
    languages: createLanguages([english], english),
    limits: readLimits(undefined, { homeName: 'hearth.example' }),
    people: { find: async () => new Map([[ada.id, ada]]) },
    appEvents: {
      prepare: async (events: readonly Event[]) => events.map(notified),
      store: async (_: unknown, stored: readonly ReturnType<typeof notified>[]) => {
        for (const { item, at } of stored) given.set(item, [...(given.get(item) ?? []), at]);
        return [];
      },
      poke: () => {},
    },
    links: { issue: (_: string, path: string) => path },
    outbound: { poke: () => {} },
  };
  for (const batch of batches) {
    await onNotified(context as never)(batch.map((event) => ({ event, bytes: new Uint8Array() })));
  }
  return given;
}

test('nobody is notified of the same item twice within twelve hours, or left without a notice for longer', async () => {
  // Hours from the start, plus or minus a second, of two items; some events are repeated, some late.
  const moment = fc
    .tuple(fc.nat({ max: 40 }), fc.constantFrom(-1, 0, 1))
    .map(([h, s]) => h * hour + s * 1_000);
  const happened = fc.record({
    thing: fc.nat({ max: 1 }),
    at: moment,
    twice: fc.boolean(),
    batch: fc.nat({ max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(happened, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (all, inOrder) => {
        const ada = newPerson('Ada', { app: ids.uuid() }) as unknown as PersonFacts;
        const items = [ids.uuid(), ids.uuid()];
        const ordered = inOrder ? [...all].sort((one, other) => one.at - other.at) : all;
        const events = ordered.map(({ thing, at, ...when }) => ({
          ...when,
          event: asked(ada.id, start + at, { item: items[thing]! }),
        }));
        const batches = inOrder
          ? events.map(({ event, twice }) => (twice ? [event, event] : [event]))
          : [0, 1, 2, 3, 4].map((number) =>
              events.flatMap(({ event, batch, twice }) =>
                batch === number ? [event] : twice ? [event] : [],
              ),
            );
        const told = await notifiedOf(batches, ada);
        items.forEach((item, thing) => {
          const times = told.get(item) ?? [];
          const happenings = ordered
            .filter((happening) => happening.thing === thing)
            .map(({ at }) => start + at);
          for (const [index, time] of times.entries())
            if (index > 0) expect(time - times[index - 1]!).toBeGreaterThanOrEqual(rest);
          expect(times.length > 0).toBe(happenings.length > 0);
          if (!inOrder) return;
          // An event without a notice came within twelve hours after one with a notice.
          for (const at of happenings)
            expect(times.some((time) => time <= at && at - time < rest)).toBe(true);
        });
      },
    ),
    { numRuns: 60 },
  );
});
