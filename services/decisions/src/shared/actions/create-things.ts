import { createLru } from '@hearth/cache/lru';
import { createCoalescer } from '@hearth/coalesce';
import { stateDue } from '@hearth/home-acts';
import type { Claim } from '@hearth/idempotency';
import { type Announcement, createMachine, type OutboxRow, type UnitOfWork } from '@hearth/outbox';
import type { HostParts } from '@hearth/runtime';
import type { Seat } from '../db/seats.ts';
import type { SignedThing, ThingRow, Whole } from '../db/thing-rows.ts';
import type { ThingTable } from '../db/things.ts';
import type { Member } from '../domain/member.ts';
import { changedSeats } from '../domain/seated.ts';
import { topicsOf } from '../domain/topics.ts';

/** The rules for one kind of thing, as pure functions. */
export interface ThingRules<Row, Person, Change> {
  /** The state after a change; the same object if nothing changes. @throws if the state doesn't take the change */
  next(before: Whole<Row, Person>, change: Change): Whole<Row, Person>;
  seatsOf(whole: Whole<Row, Person>): Seat[];
  /** The event for a change; null if there is none. */
  newsOf(before: Whole<Row, Person>, after: Whole<Row, Person>, change: Change): Announcement | null;
  /** uuids of the people on whose behalf the change speaks; empty if it says nothing. */
  spokeOf?(change: Change): readonly string[];
}

/** Reads things of one kind, and is the only way to change them. */
export interface Things<Row, Person, Change> {
  /** Finds a thing without checking who may see it. */
  find(id: string): Promise<Whole<Row, Person> | null>;
  /** The thing if the viewer (uuid) has a seat at it. */
  findSeen(reference: string, viewer: string): Promise<Whole<Row, Person> | null>;
  /** Finds a thing by reference without checking who may see it. */
  findAny(reference: string): Promise<Whole<Row, Person> | null>;
  /** @param claim the request_id's claim; null without a request_id */
  insert(
    whole: Whole<Row, Person>,
    event: Announcement | null,
    claim: Claim<{ id: string }> | null,
  ): Promise<void>;
  /**
   * Changes a thing that was just read. Optimistic: writes if unchanged, else re-reads and retries; takes the
   * row lock after two retries. Concurrent changes are chained, each on the previous one's result, and
   * written in one statement.
   */
  actOn(
    found: Whole<Row, Person>,
    choose: (whole: Whole<Row, Person>) => Change | null,
  ): Promise<Whole<Row, Person>>;
  /** Locks the thing and applies the change that `choose` returns; null changes nothing. @throws not_found */
  act(
    id: string,
    choose: (whole: Whole<Row, Person>, tx: UnitOfWork) => Promise<Change | null> | Change | null,
  ): Promise<Whole<Row, Person>>;
  /** Stores a signed record and its announcement; false if it was already signed. */
  sign(whole: Whole<Row, Person>, json: string, event: Announcement): Promise<boolean>;
}

/** Each statement has a fixed overhead, so one at a time with a larger batch does more. */
export const batched = { maxBatch: 50, maxInFlight: 1, spacingMs: 2 } as const;

/** Cache limit, counted in people of cached things; about 10 MB. */
const peopleKept = 4_000;

/** Retries after a version conflict before taking the row lock. */
const retries = 2;

/** Batches requests' statements: those that arrive while one is in flight share the next. */
export function createThings<Row extends ThingRow, Person extends Member, Change>(
  { commit, database, outbox }: HostParts<'outbox'>,
  table: ThingTable<Row, Person>,
  { next, seatsOf, newsOf, spokeOf = () => [] }: ThingRules<Row, Person, Change>,
): Things<Row, Person, Change> {
  type Thing = Whole<Row, Person>;
  type Read = Thing & { version: string };

  const reads = createCoalescer<string, Thing | null>({
    ...batched,
    name: `batch of ${table.kind}s`,
    async run(ids) {
      const found = await table.find(database.db, [...new Set(ids)]);
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  /** This process's latest version by reference; Postgres sends a thing again only if its version differs. */
  const latest = createLru<Read>(peopleKept);
  const keep = ({ row, people }: Thing, version: string): Read => {
    const kept = { row, people, version };
    latest.set(String(row[table.reference]), kept, { size: people.length + 1 });
    return kept;
  };
  const looks = createCoalescer<{ reference: string; viewer: string }, Thing | null>({
    ...batched,
    name: `batch of looks at ${table.kind}s`,
    async run(wanted) {
      const known = wanted.map(({ reference }) => latest.get(reference));
      const seen = await table.findSeen(
        database.db,
        wanted.map((one, index) => ({ ...one, known: known[index]?.version })),
      );
      return seen.map((one, index) => {
        if (one === null) return null;
        return one.thing === null ? known[index]! : keep(one.thing, one.version);
      });
    },
  });
  const inserts = createCoalescer<Parameters<typeof table.insert>[1][number], true>({
    ...batched,
    name: `batch of new ${table.kind}s`,
    // A thing that Postgres rejects must not fail the rest of the batch.
    splitOnError: true,
    run: (batch) =>
      commit.statement(async (tx) => {
        const versions = await table.insert(tx, batch);
        tx.announced(batch.flatMap(({ events }) => events));
        return batch.map((made) => {
          keep(made, versions.get(made.row.id)!);
          return true as const;
        });
      }),
  });

  /** Changes of one thing that are written together. */
  interface Together {
    /** The thing as it was read. */
    base: Read;
    /** The thing after the changes so far. */
    now: Thing;
    spoke: string[];
    events: OutboxRow[];
  }
  /** By uuid: changes waiting for the next statement. `written` resolves to false on a version conflict. */
  const pending = new Map<string, { changed: Together; written: Promise<boolean> }>();
  const forget = (changed: Together) => {
    const { id } = changed.base.row;
    if (pending.get(id)?.changed === changed) pending.delete(id);
  };
  const changes = createCoalescer<Together, boolean>({
    ...batched,
    name: `batch of changes of ${table.kind}s`,
    splitOnError: true,
    async run(batch) {
      // Later changes go into the next statement.
      batch.forEach(forget);
      return await commit.statement(async (tx) => {
        const given = batch.map(({ base, now, spoke, events }) => ({
          ...changeOf(base, now),
          version: base.version,
          spoke,
          events,
        }));
        const written = await table.change(tx, given);
        const done = given.filter(({ row }) => written.has(row.id));
        tx.wake(...done.flatMap(({ topics }) => topics));
        tx.announced(done.flatMap(({ events }) => events));
        return batch.map(({ base, now }) => {
          const version = written.get(base.row.id);
          if (version !== undefined) keep(now, version);
          return version !== undefined;
        });
      });
    },
  });
  const signed = createCoalescer<SignedThing, boolean>({
    ...batched,
    name: `batch of signed ${table.kind}s`,
    splitOnError: true,
    run: (batch) =>
      commit.statement(async (tx) => {
        const firsts = new Map(batch.toReversed().map((thing) => [thing.id, thing]));
        const written = await table.sign(tx, [...firsts.values()]);
        const isWritten = batch.map((thing) => written.has(thing.id) && firsts.get(thing.id) === thing);
        tx.announced(batch.flatMap(({ events }, index) => (isWritten[index] ? events : [])));
        return isWritten;
      }),
  });

  function changeOf(before: Thing, after: Thing) {
    const kept = new Map(before.people.map((person) => [person.person, person]));
    const left = new Set(after.people.map(({ person }) => person));
    const moved = before.row.status !== after.row.status;
    const [seatsBefore, seatsAfter] = [seatsOf(before), seatsOf(after)];
    const viewers = new Set([...seatsBefore, ...seatsAfter].map(({ viewer }) => viewer));
    return {
      row: after.row,
      people: after.people.filter((person) => !isSame(kept.get(person.person), person)),
      came: after.people.flatMap(({ person }) => (kept.has(person) ? [] : [person])),
      gone: before.people.flatMap(({ person }) => (left.has(person) ? [] : [person])),
      ...changedSeats(seatsBefore, seatsAfter, moved),
      topics: topicsOf(table.kind, after.row.id, viewers),
    };
  }

  const machine = createMachine<string, Thing, Change, void>({
    commit,
    lock: (tx, id) => table.lock(tx, id),
    next,
    async write(tx, { before, after, act }) {
      const { topics, ...change } = changeOf(before, after);
      await table.change(tx, [{ ...change, version: null, spoke: spokeOf(act), events: [] }]);
      tx.wake(...topics);
      tx.announce(...announced(newsOf(before, after, act), before, after));
    },
  });
  const act: Things<Row, Person, Change>['act'] = async (id, choose) => (await machine.act(id, choose)).state;

  /** The event for a thing, plus the state due for other homes that take part. */
  const announced = (news: Announcement | null, ...wholes: readonly Thing[]): Announcement[] => {
    const [whole] = wholes.filter(({ people }) => people.some(({ home }) => home !== null));
    return [
      ...(news === null ? [] : [news]),
      ...(whole === undefined ? [] : [stateDue('decisions', table.kind, whole.row.id)]),
    ];
  };

  /** Null on a version conflict. */
  async function tryOn(found: Read, choose: (whole: Thing) => Change | null): Promise<Thing | null> {
    const { id } = found.row;
    const joined = pending.get(id);
    // A statement can change a thing only once.
    if (joined !== undefined && joined.changed.base.version !== found.version) return null;
    const before = joined?.changed.now ?? found;
    let after: Thing;
    let change: Change | null;
    try {
      change = choose(before);
      after = change === null ? before : next(before, change);
    } catch (refusal) {
      // The refusal may rest on changes not written yet; it holds only once they are.
      if (joined !== undefined && !(await joined.written)) return null;
      throw refusal;
    }
    if (change === null || after === before)
      return joined === undefined || (await joined.written) ? before : null;
    const spoke = spokeOf(change);
    // Build event rows here, so that they carry their request's trace.
    const events = announced(newsOf(before, after, change), before, after).map((announcement) =>
      outbox.row(announcement),
    );
    if (joined !== undefined) {
      const { changed } = joined;
      changed.now = after;
      changed.spoke.push(...spoke);
      changed.events.push(...events);
      return (await joined.written) ? after : null;
    }
    const changed: Together = { base: found, now: after, spoke: [...spoke], events };
    const written = changes.add(changed).finally(() => forget(changed));
    pending.set(id, { changed, written });
    return (await written) ? after : null;
  }

  return {
    find: reads.add,
    findSeen: (reference, viewer) => looks.add({ reference, viewer }),
    findAny: (reference) => table.findAny(database.db, reference),
    async insert(whole, event, claim) {
      const made = { ...whole, seats: seatsOf(whole) };
      const events = announced(event, whole);
      if (claim === null)
        await inserts.add({ ...made, events: events.map((announcement) => outbox.row(announcement)) });
      else
        await commit(async (tx) => {
          await claim(tx, { id: whole.row.id });
          await table.insert(tx, [{ ...made, events: [] }]);
          tx.announce(...events);
        });
    },
    async actOn(found, choose) {
      let read: Thing | null = found;
      for (let again = 0; read?.version !== undefined && again <= retries; again += 1) {
        const after: Thing | null = await tryOn({ ...read, version: read.version }, choose);
        if (after !== null) return after;
        read = await reads.add(found.row.id);
      }
      return await act(found.row.id, choose);
    },
    act,
    sign: ({ row, people }, json, event) =>
      signed.add({
        id: row.id,
        json,
        events: announced(event, { row, people }).map((announcement) => outbox.row(announcement)),
      }),
  };
}

/** Whether every field is identical; the state machine copies people that a change doesn't touch. */
function isSame<Person extends object>(before: Person | undefined, after: Person): boolean {
  return (
    before !== undefined &&
    (before === after ||
      (Object.keys(after) as (keyof Person)[]).every((field) => before[field] === after[field]))
  );
}
