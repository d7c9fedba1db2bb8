import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Clock, nowDate } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { internal } from '@hearth/errors';
import { typesOfThings } from '@hearth/outbox';
import type { ReceivedEvent } from './consume.ts';

/**
 * How far a consumer, in any process, has handled the events about each thing. An event whose predecessor was not
 * handled yet is returned to the bus, which redelivers it.
 */
export interface Places {
  find(things: readonly string[]): Promise<ReadonlyMap<string, number>>;
  note(places: ReadonlyMap<string, number>): Promise<void>;
}

/**
 * How often an event is redelivered until it is handled without its predecessors: within half a minute, given the
 * pauses of the bus.
 */
export const mostAttempts = 120;

export function createPlaces(
  { database, clock }: { database: Database; clock: Clock },
  schema: string,
  durable: string,
): Places {
  const table = `${schema}.handled_places`;
  return {
    async find(things) {
      const rows = await database.db.query<{ thing: string; place: number }>({
        name: `${schema}_find_places`,
        text: `select thing, place from ${table} where durable = $1 and thing = any($2::text[])`,
        values: [durable, things],
      });
      return new Map(rows.map(({ thing, place }) => [thing, Number(place)]));
    },
    async note(places) {
      // Rows are locked in the order of their things, so that two processes wait for each other instead of deadlocking.
      await database.statement((tx) =>
        tx.execute({
          name: `${schema}_note_places`,
          text: `
            insert into ${table} as p (durable, thing, place, at)
            select $1, thing, place, $4 from unnest($2::text[], $3::bigint[]) as given (thing, place) order by thing
            on conflict (durable, thing) do update set place = excluded.place, at = excluded.at
              where p.place < excluded.place`,
          values: [durable, [...places.keys()], [...places.values()], nowDate(clock)],
        }),
      );
    },
  };
}

/** @throws internal for a consumer that doesn't receive all events about a thing: it would wait for them in vain */
export function checkTypes(durable: string, types: readonly string[]): void {
  for (const [kind, all] of typesOfThings) {
    const missing = all.find((type) => !types.includes(type));
    if (missing !== undefined && all.some((type) => types.includes(type)))
      throw internal(
        `${durable} keeps the order of events about each ${kind}, and does not consume ${missing}`,
      );
  }
}

/** Sorts by time; events about the same thing by their places, whatever the clocks of two processes say. */
export function inTheirOrder(received: readonly ReceivedEvent[]): ReceivedEvent[] {
  const latest = new Map<string, number>();
  const byPlace = received.toSorted((one, other) => Number(one.event.place - other.event.place));
  const timed = byPlace.map((event) => {
    const { at, thing } = event.event;
    const time = Math.max(at === undefined ? 0 : timestampMs(at), latest.get(thing) ?? 0);
    if (thing !== '') latest.set(thing, time);
    return { event, time };
  });
  // A stable sort keeps the order of events with equal times.
  return timed.sort((one, other) => one.time - other.time).map(({ event }) => event);
}

/** Splits events into those that can be handled, in order, and those that came too early. */
export async function divide(
  ordered: readonly ReceivedEvent[],
  places: Pick<Places, 'find'>,
): Promise<{ ready: ReceivedEvent[]; early: ReceivedEvent[] }> {
  const following = ordered.filter(({ event }) => event.after > 0n).map(({ event }) => event.thing);
  const reached = new Map(following.length === 0 ? [] : await places.find([...new Set(following)]));
  const ready: ReceivedEvent[] = [];
  const early: ReceivedEvent[] = [];
  for (const event of ordered) {
    const { thing, place, after } = event.event;
    const isEarly = thing !== '' && Number(after) > (reached.get(thing) ?? 0);
    (isEarly ? early : ready).push(event);
    if (!isEarly) reached.set(thing, Math.max(Number(place), reached.get(thing) ?? 0));
  }
  return { ready, early };
}

/** The last place of each thing. */
export function lastPlaces(received: readonly ReceivedEvent[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { event } of received)
    if (event.thing !== '') last.set(event.thing, Math.max(Number(event.place), last.get(event.thing) ?? 0));
  return last;
}
