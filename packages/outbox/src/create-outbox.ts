import { createHash } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Bus, Log } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { Database, Tx } from '@hearth/db';
import { type Ids, printId } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { actorOf } from '@hearth/rpc';
import { injectTrace, linkFrom, metering, recordOutboxLag, span, tracing } from '@hearth/telemetry';
import type { Outbox, OutboxRow } from './outbox.ts';
import { createStatements } from './statements.ts';
import { eventSubject, eventType } from './subjects.ts';
import { encodeWake, wakeSubject } from './wake.ts';

export interface OutboxOptions {
  database: Database;
  /** The schema whose `outbox` table it is. */
  schema: string;
  bus: Bus;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export interface RunningOutbox extends Outbox {
  /** Publishes what a crash or a lost bus left behind; a job calls it every few seconds. */
  sweep(): Promise<void>;
  /**
   * Publishes again what was published into a log that is gone (its data was wiped). The sweep goes on with it
   * when it fails, and looks a last time a while later.
   */
  republishLost(): Promise<void>;
  /** Deletes rows that the present log has had for long enough that everybody has received them. */
  purge(): Promise<void>;
  /** Resolves when what was committed here has been handed over or left to the sweep. */
  drain(): Promise<void>;
  /** Measures how long the oldest row that is still to be published has waited. */
  recordLag(): Promise<void>;
}

const sweepBatch = 500;
/** The signal wakes holders at once; a busy home's log follows a moment later, many events at the price of one. */
const relaySpacingMs = 20;
/** By then whoever published into a log just before it was lost has noted so, and a second look finds it. */
const lateMarksMs = 15 * second;

export function createOutbox(options: OutboxOptions): RunningOutbox {
  const { database, bus, clock, ids, log } = options;
  const statements = createStatements(options.schema);
  let waking: { topics: Set<string>; events: string[] } | undefined;
  /** Set while rows of a lost log may still be found. */
  let lost: { since: number; lookAt: number } | undefined;

  const relay = createCoalescer<readonly OutboxRow[], void>({
    maxInFlight: 1,
    maxBatch: 500,
    spacingMs: relaySpacingMs,
    run: async (batches) => {
      await publish(batches.flat());
      return batches.map(() => undefined);
    },
  });

  /** At-least-once: consumers know an event that they have received by its id. */
  async function publish(rows: readonly StoredRow[]): Promise<void> {
    const byType = Map.groupBy(rows, (row) => row.type);
    // The epoch before the publishing: a log that is lost meanwhile must not pass for the one that has them.
    const epoch = bus.epoch();
    await Promise.all([...byType].map(([type, same]) => publishSame(eventSubject(type), same)));
    await database.statement((tx) =>
      tx.execute(
        statements.markPublished(
          rows.map((row) => row.id),
          epoch,
        ),
      ),
    );
  }

  function publishSame(subject: string, rows: readonly StoredRow[]): Promise<void> {
    const events = rows.map((row) => row.event);
    const publishing = () => bus.publish({ subject, id: batchId(rows), events });
    return tracing.enabled ? publishTraced(subject, events, publishing) : publishing();
  }

  async function publishClaimed(claim: () => Promise<StoredRow[]>): Promise<void> {
    for (;;) {
      // An update returns rows in any order; ids are in order of time.
      const rows = (await claim()).sort((one, other) => (one.id < other.id ? -1 : 1));
      if (rows.length > 0) await publish(rows);
      if (rows.length < sweepBatch) return;
    }
  }

  /** Until it has succeeded, and once more when late marks are written too. */
  async function lookForLost(): Promise<void> {
    const looking = lost;
    const began = clock.now();
    if (looking === undefined || began < looking.lookAt) return;
    await publishClaimed(claimFrom(statements.claimOfOtherEpoch(bus.epoch(), sweepBatch)));
    const last = looking.since + lateMarksMs;
    looking.lookAt = last;
    if (began >= last && lost === looking) lost = undefined;
  }

  /** One signal for all that this turn of the event loop commits. */
  function wake(topics: readonly string[], events: readonly string[]): void {
    if (topics.length === 0) return;
    if (waking === undefined) {
      waking = { topics: new Set(), events: [] };
      setImmediate(() => {
        const batched = waking!;
        waking = undefined;
        bus.signal(wakeSubject, encodeWake({ topics: [...batched.topics], events: batched.events }));
      });
    }
    for (const topic of topics) waking.topics.add(topic);
    waking.events.push(...events);
  }

  async function insert(tx: Tx, rows: readonly OutboxRow[]): Promise<void> {
    await tx.execute(statements.insert(rows));
  }

  const claimFrom = (statement: Parameters<Database['db']['query']>[0]) => () =>
    database.statement((tx) => tx.query<StoredRow>(statement));

  return {
    row({ id = ids.uuid(), data, topics = [], by }) {
      const event = create(EventSchema, {
        id: printId('evt', id),
        at: timestampFromMs(clock.now()),
        traceparent: injectTrace()?.traceparent ?? '',
        topics: [...topics],
        ...(by !== undefined && { by: actorOf(by) }),
        data,
      });
      return { id, type: eventType(data), event: Buffer.from(toBinary(EventSchema, event)), topics };
    },
    insert,
    committed(rows) {
      wake(
        rows.flatMap((row) => row.topics),
        rows.map((row) => row.id),
      );
      relay.add(rows).catch((error: unknown) => {
        const { schema } = options;
        log.warn({ schema, count: rows.length, err: error }, 'events wait in the outbox for the next sweep');
      });
    },
    wake: (topics) => wake(topics, []),
    async sweep() {
      await publishClaimed(claimFrom(statements.claimUnpublished(sweepBatch)));
      await lookForLost();
    },
    republishLost() {
      lost = { since: clock.now(), lookAt: clock.now() };
      return lookForLost();
    },
    async purge() {
      // A log that is away may come back with or without its events.
      if (!bus.health().ok) return;
      await database.statement((tx) => tx.execute(statements.purge(bus.epoch())));
    },
    drain: () => relay.idle(),
    async recordLag() {
      if (!metering.enabled) return;
      const { lag } = await database.db.one<{ lag: number }>(statements.lag());
      recordOutboxLag({ service: options.schema, seconds: lag });
    },
  };
}

const maxLinks = 32;

/** The span of a batch links to the requests that caused its events. */
function publishTraced(
  subject: string,
  events: readonly Buffer[],
  publish: () => Promise<void>,
): Promise<void> {
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

/** The same rows in the same order have the same id, and no others do: the bus keeps what it has seen only once. */
function batchId(rows: readonly StoredRow[]): string {
  return createHash('sha256')
    .update(rows.map((row) => row.id).join())
    .digest('base64url');
}

interface StoredRow {
  id: string;
  type: string;
  event: Buffer;
}
