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

/** The rules of one kind of thing, as pure functions. */
export interface ThingRules<Row, Person, Change> {
  /** After a change; the same object where it changes nothing. @throws the refusal of a change that its state does not take */
  next(before: Whole<Row, Person>, change: Change): Whole<Row, Person>;
  seatsOf(whole: Whole<Row, Person>): Seat[];
  /** The event of a change; null where there is nothing to tell. */
  newsOf(before: Whole<Row, Person>, after: Whole<Row, Person>, change: Change): Announcement | null;
  /** uuids of the people whose words are new with a change; none where nothing is said. */
  spokeOf?(change: Change): readonly string[];
}

/** Things of one kind: how they are read, and the only way in which they change. */
export interface Things<Row, Person, Change> {
  /** Whatever may see it. */
  find(id: string): Promise<Whole<Row, Person> | null>;
  /** The one that the viewer (uuid) has a seat at. */
  findSeen(reference: string, viewer: string): Promise<Whole<Row, Person> | null>;
  /** The same, whoever looks. */
  findAny(reference: string): Promise<Whole<Row, Person> | null>;
  /** @param claim of a request that has a request_id; null of every other */
  insert(
    whole: Whole<Row, Person>,
    event: Announcement | null,
    claim: Claim<{ id: string }> | null,
  ): Promise<void>;
  /**
   * Changes a thing as it was read just now. It is written where no one changed it since; else the change is chosen anew for
   * the thing as it is then, at last with its row locked. Changes that come at once are taken one after the other: each is
   * chosen for what the one before leaves, and they are written together.
   */
  actOn(
    found: Whole<Row, Person>,
    choose: (whole: Whole<Row, Person>) => Change | null,
  ): Promise<Whole<Row, Person>>;
  /** Locks the thing and changes it as `choose` says; null leaves it as it is. @throws not_found */
  act(
    id: string,
    choose: (whole: Whole<Row, Person>, tx: UnitOfWork) => Promise<Change | null> | Change | null,
  ): Promise<Whole<Row, Person>>;
  /** Stores a record and announces it. False when it was signed before. */
  sign(whole: Whole<Row, Person>, json: string, event: Announcement): Promise<boolean>;
}

/** A statement costs its own overhead whatever it carries: one at a time carries more. */
export const batched = { maxBatch: 50, maxInFlight: 1, spacingMs: 2 } as const;

/** The things used last, as many as have so many people together: some 10 MB. */
const peopleKept = 4_000;

/** So often a thing that was changed meanwhile is read again before its row is locked. */
const retries = 2;

/** Statements of requests that come while one is in flight go together in the next. */
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
  /** By reference, as this process read or wrote them last: one that is still of that version is not sent again. */
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
    // One that Postgres refuses must not keep back the others.
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

  /** Changes of one thing that go together. */
  interface Together {
    /** The thing as it was read. */
    base: Read;
    /** As the changes so far leave it. */
    now: Thing;
    spoke: string[];
    events: OutboxRow[];
  }
  /** By uuid, those that wait for the next statement, and whether they were written: not where the thing was changed meanwhile. */
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
      // Later ones wait for the next statement.
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

  /** The news of a thing, and that other homes which have a part in it are to be told. */
  const announced = (news: Announcement | null, ...wholes: readonly Thing[]): Announcement[] => {
    const [whole] = wholes.filter(({ people }) => people.some(({ home }) => home !== null));
    return [
      ...(news === null ? [] : [news]),
      ...(whole === undefined ? [] : [stateDue('decisions', table.kind, whole.row.id)]),
    ];
  };

  /** Null where it was changed meanwhile. */
  async function tryOn(found: Read, choose: (whole: Thing) => Change | null): Promise<Thing | null> {
    const { id } = found.row;
    const joined = pending.get(id);
    // A statement changes a thing once.
    if (joined !== undefined && joined.changed.base.version !== found.version) return null;
    const before = joined?.changed.now ?? found;
    let after: Thing;
    let change: Change | null;
    try {
      change = choose(before);
      after = change === null ? before : next(before, change);
    } catch (refusal) {
      // The refusal stands once that which led to it is written.
      if (joined !== undefined && !(await joined.written)) return null;
      throw refusal;
    }
    if (change === null || after === before)
      return joined === undefined || (await joined.written) ? before : null;
    const spoke = spokeOf(change);
    // Rows of events are made before they wait for a statement, within the trace of their request.
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

/** Whether each field is the very same: a course copies people whom a change does not concern. */
function isSame<Person extends object>(before: Person | undefined, after: Person): boolean {
  return (
    before !== undefined &&
    (before === after ||
      (Object.keys(after) as (keyof Person)[]).every((field) => before[field] === after[field]))
  );
}
