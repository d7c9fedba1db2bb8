import { createHash } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Bus, Confirmed, Log, Published } from '@hearth/bus';
import { type Clock, day, hour, minute, nowDate, second } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { Database, Fragment, Tx } from '@hearth/db';
import { asHearthError } from '@hearth/errors';
import { derivedId, type Ids, parseId, printId } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { actorOf } from '@hearth/rpc';
import {
  injectTrace,
  linkFrom,
  metering,
  recordOutboxLag,
  recordSetAside,
  runUntraced,
  span,
  tracing,
} from '@hearth/telemetry';
import type { Announcement } from './announcement.ts';
import type { Outbox, OutboxRow } from './outbox.ts';
import { inPlace, type StoredRow } from './place.ts';
import { createStatements, lags, type Position, type RefusedRow } from './statements.ts';
import { eventSubject, eventType } from './subjects.ts';
import { thingOf } from './thing-of.ts';
import { encodeWake, wakeSubject } from './wake.ts';

export interface OutboxOptions {
  database: Database;
  /** The schema of the `outbox` table. */
  schema: string;
  bus: Bus;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export interface RunningOutbox extends Outbox {
  /**
   * Publishes what a crash or an unreachable bus left behind and, at first, what was published into a log
   * lost meanwhile. A job calls it at startup, once consumers are there, and every few seconds.
   */
  sweep(): Promise<void>;
  /** Checks that the log still has its confirmed events, then deletes rows published long enough ago. */
  purge(): Promise<void>;
  /** Resolves once this process's commits have been published or left to the sweep. */
  drain(): Promise<void>;
  /** When the next sweep and the next purge are due. */
  readonly sweepDue: Due;
  readonly purgeDue: Due;
}

interface Due {
  sql: Fragment;
  by?: 'database';
  known?: () => number | undefined;
  afterWritesMs: number;
}

/** Measures the outbox lag of these schemas. */
export async function recordLags({ db }: Pick<Database, 'db'>, schemas: readonly string[]): Promise<void> {
  if (!metering.enabled || schemas.length === 0) return;
  const rows = await runUntraced(() =>
    db.query<{ schema: string; lag: number; setAside: number }>(lags(schemas)),
  );
  for (const { schema, lag, setAside } of rows) {
    recordOutboxLag({ service: schema, seconds: lag });
    recordSetAside({ service: schema, events: setAside });
  }
}

const sweepBatch = 500;
const purgeBatch = 10_000;
/** The duration of one purge; the next follows soon. */
const purgeBoundMs = 30 * second;
/** How long a published row stays, so that it can be published again if the bus loses its log. */
const keptMs = 15 * minute;
/** The signal wakes holders at once; on a busy home the log follows a moment later, in batches. */
const relaySpacingMs = 50;
/**
 * Rows not yet marked as published are published again after a crash, which consumers tolerate; so they are
 * marked in batches.
 */
const markSpacingMs = 250;
/**
 * The time for late marks by processes that published just before the log was lost; a second pass finds those
 * rows.
 */
const lateMarksMs = 15 * second;
/**
 * How long the last handled place of each thing is kept; longer than two of its events are ever apart in
 * transit.
 */
const placesKeptMs = day;
const longestReason = 500;
/** The relay publishes this process's commits; a sweep finds what others left. */
const afterWritesMs = 2 * second;

export function createOutbox(options: OutboxOptions): RunningOutbox {
  const { database, schema, bus, clock, ids, log } = options;
  const statements = createStatements(schema);
  let waking: { topics: Set<string>; events: string[]; carried: Map<string, Uint8Array> } | undefined;
  /** Set while rows of a lost log may remain: at startup and after a loss. */
  let lost: { since: number; lookAt: number } | undefined = { since: clock.now(), lookAt: clock.now() };
  /** The last event that the log confirmed to this process, with its epoch and time. */
  let newest: (Confirmed & { epoch: string; at: number }) | undefined;
  /** The check of the log since startup or the last reconnection; nothing is published before it. */
  let looked: Promise<void> | undefined;
  let forgotAt = clock.now();

  bus.onReconnect(({ logLost }) => {
    looked = undefined;
    if (logLost) lost = { since: clock.now(), lookAt: clock.now() };
    const republish = logLost ? lookForLost() : look();
    republish.catch((err: unknown) => log.warn({ schema, err }, 'lost events wait for the next sweep'));
  });

  const relay = createCoalescer<readonly OutboxRow[], void>({
    maxInFlight: 1,
    maxBatch: 500,
    spacingMs: relaySpacingMs,
    run: async (batches) => {
      const failures = await publish(batches.flat(), markLater);
      return batches.map((rows) => {
        const failed = rows.find((row) => failures.has(row.type));
        return failed === undefined ? undefined : asHearthError(failures.get(failed.type));
      });
    },
  });

  const marks = createCoalescer<Marked, undefined>({
    maxInFlight: 1,
    spacingMs: markSpacingMs,
    run: async (batch) => {
      for (const [epoch, same] of Map.groupBy(batch, (marked) => marked.epoch)) {
        const lasts = same
          .flatMap(({ last }) => last ?? [])
          .sort((one, other) => one.position - other.position);
        await mark({ published: same.flatMap(({ published }) => published), last: lasts.at(-1), epoch });
      }
      return batch.map(() => undefined);
    },
  });

  /**
   * At-least-once: consumers recognize repeated events by their id. Each type is published separately.
   * Returns the types that failed entirely, with their errors.
   */
  async function publish(
    rows: readonly StoredRow[],
    noteMarks: (marked: Marked) => unknown,
  ): Promise<Map<string, unknown>> {
    await look();
    const waves = await inPlace(database, statements, schema, rows);
    const mine = looked;
    // The epoch from before publishing, so that a log lost meanwhile is not taken for the one that has them.
    const epoch = bus.epoch();
    const outcome: Outcome = { published: [], refused: [], failures: new Map() };
    for (const wave of waves) {
      const byType = Map.groupBy(wave, (row) => row.type);
      await Promise.all([...byType].map(([type, same]) => publishSame(type, same, epoch, outcome)));
    }
    // A confirmation from before a reconnection says nothing about the log that is being checked since.
    if (outcome.last !== undefined && mine === looked) newest = { ...outcome.last, epoch, at: clock.now() };
    if (outcome.published.length > 0) await noteMarks({ ...outcome, epoch });
    if (outcome.refused.length > 0) await refuse(outcome.refused);
    return outcome.failures;
  }

  async function publishSame(
    type: string,
    rows: readonly StoredRow[],
    epoch: string,
    outcome: Outcome,
  ): Promise<void> {
    const subject = eventSubject(type);
    const events = rows.map((row) => row.event);
    const publishing = () => bus.publish({ subject, id: batchId(rows, epoch), events });
    try {
      const { last, refused } = await (tracing.enabled
        ? publishTraced(subject, events, publishing)
        : publishing());
      const errors = new Map(refused.map(({ event, error }) => [event, error]));
      for (const { id, event } of rows) {
        if (errors.has(event)) outcome.refused.push(refusal(id, errors.get(event)));
        else outcome.published.push(id);
      }
      if (last === undefined || last.position <= (outcome.last?.position ?? 0)) return;
      outcome.last = { ...last, id: rows.find(({ event }) => event === last.event)!.id };
    } catch (error) {
      outcome.failures.set(type, error);
    }
  }

  function markLater(marked: Marked): void {
    marks.add(marked).catch((err: unknown) => {
      log.warn({ schema, count: marked.published.length, err }, 'published events may be published again');
    });
  }

  async function mark({ published, last, epoch }: Marked): Promise<void> {
    const statement = statements.markPublished(published, epoch, nowDate(clock), last);
    await database.statement((tx) => tx.execute(statement));
  }

  async function refuse(refused: readonly RefusedRow[]): Promise<void> {
    const rows = await database.statement((tx) =>
      tx.query<{ id: string; type: string; set_aside: string | null }>(statements.refuse(refused)),
    );
    for (const { id, type, set_aside } of rows) {
      const event = { schema, id, type };
      if (set_aside === null) log.warn(event, 'an event was refused and is published again later');
      else log.error({ ...event, reason: set_aside }, 'an event cannot be published and is set aside');
    }
  }

  function look(): Promise<void> {
    looked ??= verifyLog().catch((error: unknown) => {
      looked = undefined;
      throw error;
    });
    return looked;
  }

  /** Events from earlier, or from another process, are read from the table. */
  async function verifyLog(): Promise<void> {
    const epoch = bus.epoch();
    const confirmed = await database.db.query<Confirmed>(statements.confirmed(epoch));
    const own = newest !== undefined && newest.epoch === epoch && clock.now() - newest.at < keptMs;
    await bus.verify(epoch, own ? [newest!, ...confirmed] : confirmed);
  }

  /** Continues after a partial failure, and throws at the end. */
  async function publishClaimed(claim: () => Promise<StoredRow[]>): Promise<void> {
    const failures = new Map<string, unknown>();
    for (;;) {
      // An update returns rows in any order; ids are ordered by time.
      const rows = (await claim()).sort((one, other) => (one.id < other.id ? -1 : 1));
      const failed = rows.length === 0 ? failures : await publish(rows, mark);
      for (const [type, error] of failed) failures.set(type, error);
      const stuck = rows.every((row) => failed.has(row.type));
      if (rows.length < sweepBatch || stuck) break;
    }
    for (const error of failures.values()) throw error;
  }

  /** Repeats until it succeeds, and once more when late marks are written. */
  async function lookForLost(): Promise<void> {
    const looking = lost;
    const began = clock.now();
    if (looking === undefined || began < looking.lookAt) return;
    try {
      await publishClaimed(claimFrom(statements.claimOfOtherEpoch(bus.epoch(), sweepBatch)));
    } catch (error) {
      // Claimed rows can be claimed again before the last pass.
      looking.since = clock.now();
      throw error;
    }
    const last = looking.since + lateMarksMs;
    looking.lookAt = last;
    if (began >= last && lost === looking) lost = undefined;
  }

  async function forgetPlaces(): Promise<void> {
    if (clock.now() - forgotAt < hour) return;
    forgotAt = clock.now();
    const statement = statements.forgetPlaces(new Date(forgotAt - placesKeptMs));
    await database.statement((tx) => tx.execute(statement));
  }

  /** One signal for everything committed in this turn of the event loop. */
  function wake(topics: readonly string[], event?: string, carried?: Uint8Array): void {
    if (topics.length === 0) return;
    if (waking === undefined) {
      waking = { topics: new Set(), events: [], carried: new Map() };
      setImmediate(() => {
        const { topics, events, carried } = waking!;
        waking = undefined;
        bus.signal(wakeSubject, encodeWake({ topics: [...topics], events, carried }));
      });
    }
    for (const topic of topics) {
      // With two causes, neither carries the whole answer.
      if (waking.topics.has(topic) || carried === undefined) waking.carried.delete(topic);
      else waking.carried.set(topic, carried);
      waking.topics.add(topic);
    }
    if (event !== undefined) waking.events.push(event);
  }

  async function insert(tx: Tx, rows: readonly OutboxRow[]): Promise<OutboxRow[]> {
    const written = await tx.query<{ id: string }>(statements.insert(rows));
    if (written.length === rows.length) return [...rows];
    const ids = new Set(written.map(({ id }) => id));
    return rows.filter(({ id }) => ids.has(id));
  }

  const claimFrom = (statement: Parameters<Database['db']['query']>[0]) => () =>
    database.statement((tx) => tx.query<StoredRow>(statement));

  return {
    row({ resultOf, id = idOf(resultOf) ?? ids.uuid(), data, topics = [], by, isAwaited = false }) {
      const event = create(EventSchema, {
        id: printId('evt', id),
        at: resultOf?.event.at ?? timestampFromMs(clock.now()),
        traceparent: injectTrace() ?? '',
        topics: [...topics],
        awaited: isAwaited,
        ...(by !== undefined && { by: actorOf(by) }),
        data,
      });
      const encoded = Buffer.from(toBinary(EventSchema, event));
      return { id, type: eventType(data), event: encoded, thing: thingOf(data), topics };
    },
    insert,
    committed(rows) {
      for (const row of rows) {
        wake(row.topics, row.id, row.carried);
        // While the bus is unreachable the relay keeps rows for a long time.
        row.carried = undefined;
      }
      relay.add(rows).catch((error: unknown) => {
        log.warn({ schema, count: rows.length, err: error }, 'events wait in the outbox for the next sweep');
      });
    },
    wake: (topics) => wake(topics),
    async sweep() {
      await publishClaimed(claimFrom(statements.claimUnpublished(sweepBatch)));
      await lookForLost();
    },
    async purge() {
      // An unreachable log may come back with or without its events.
      if (!bus.health().ok) return;
      await verifyLog();
      await forgetPlaces();
      const until = performance.now() + purgeBoundMs;
      let deleted = purgeBatch;
      while (deleted === purgeBatch && bus.health().ok && performance.now() < until) {
        const before = new Date(clock.now() - keptMs);
        deleted = await database.statement((tx) =>
          tx.execute(statements.purge(bus.epoch(), before, purgeBatch)),
        );
      }
    },
    async drain() {
      await relay.idle();
      await marks.idle();
    },
    sweepDue: {
      sql: statements.nextUnpublished,
      by: 'database',
      known: () => lost?.lookAt,
      afterWritesMs,
    },
    purgeDue: { sql: statements.anyPublished, afterWritesMs },
  };
}

const maxLinks = 32;

/** The span of a batch links to the requests that caused its events. */
function publishTraced(
  subject: string,
  events: readonly Buffer[],
  publish: () => Promise<Published>,
): Promise<Published> {
  const links = events
    .slice(0, maxLinks)
    .map((event) => linkFrom(fromBinary(EventSchema, event).traceparent || undefined));
  const attributes = {
    'messaging.system': 'nats',
    'messaging.operation.type': 'send',
    'messaging.destination.name': subject,
    'messaging.batch.message_count': events.length,
  };
  return span(`publish ${subject}`, { kind: 'producer', attributes, links }, publish);
}

/**
 * Identical for the same rows in the same order and epoch, so that the bus stores a repeated batch once. A
 * new life of the log changes it, because servers remember the ids of messages that they have lost.
 */
function batchId(rows: readonly StoredRow[], epoch: string): string {
  return createHash('sha256')
    .update(`${epoch} ${rows.map((row) => row.id).join()}`)
    .digest('base64url');
}

function refusal(id: string, error: unknown): RefusedRow {
  const { kind, message } = asHearthError(error);
  const reason = error instanceof Error ? error.message : message;
  return { id, reason: reason.slice(0, longestReason), forGood: kind === 'too_large' };
}

/** The outcome of publishing some rows. */
interface Outcome {
  published: string[];
  refused: RefusedRow[];
  /** Errors by type. */
  failures: Map<string, unknown>;
  /** The last event in the log. */
  last?: Confirmed & { id: string };
}

/** Rows to be marked as published in this life of the log. */
interface Marked {
  published: string[];
  last?: Position | undefined;
  epoch: string;
}

/** Undefined for an event that results from no other. */
function idOf(result: Announcement['resultOf']): string | undefined {
  const cause = result === undefined ? null : parseId('evt', result.event.id);
  return cause === null ? undefined : derivedId(cause, result!.name);
}
