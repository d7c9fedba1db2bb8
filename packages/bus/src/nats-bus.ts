import { type Clock, minute, second } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import type { Bus, Confirmed, Log, Subscription } from './bus.ts';
import { createHomeMac } from './home-mac.ts';
import { connectToNats, insist, printable } from './nats-connect.ts';
import { startNatsConsumer } from './nats-consume.ts';
import { ensureDurable, ensureStream } from './nats-ensure.ts';
import { createHearing } from './nats-hearing.ts';
import { checkLife } from './nats-life.ts';
import { createOpener } from './nats-open.ts';
import { createPublisher } from './nats-publish.ts';
import { createSession } from './nats-session.ts';
import { createNatsSignals } from './nats-signals.ts';
import { createTrimmer } from './nats-trim.ts';
import type { StreamLimits } from './streams.ts';
import { checkFilter } from './subjects.ts';
import type { Retries } from './worker.ts';

export interface NatsBusOptions {
  /** `nats://host:port`, with `user:password@` or `token@` if the server requires them. */
  url: string;
  /** The home's word in every subject, from `homePrefix`. */
  prefix: string;
  /**
   * A 32-byte key known only to this home's processes; messages that others publish under its subjects are
   * refused.
   */
  key: Uint8Array;
  clock: Clock;
  log: Log;
  /** The process's name in the server's list of connections. */
  name?: string;
  limits?: StreamLimits;
  /** Milliseconds until startup gives up on an unreachable server (default two minutes). */
  startDeadline?: number;
  /** Cancels the wait for a server; startup then rejects. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until an unconfirmed publish rejects (default 5,000). */
  publishDeadline?: number;
  retries?: Partial<Retries>;
}

/** A server's default limit on messages: 1 MB. */
const usualMaxPayload = 1024 * 1024;

/**
 * Connects the bus to NATS JetStream. Rejects with kind `unavailable` if no server with JetStream answers in
 * time.
 */
export async function createNatsBus(options: NatsBusOptions): Promise<Bus> {
  const { url, clock, log, name = 'hearth', startDeadline = 2 * minute, signal } = options;
  const waiting = { clock, log, deadline: startDeadline, signal };
  const connection = await connectToNats({ url, name }, waiting);
  try {
    return await startBus(options, connection);
  } catch (error) {
    await connection.close();
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw unavailable(
      `NATS at ${printable(url)} gives no event log (${reason}); it needs JetStream on and room for the log's largest size`,
      error,
    );
  }

  async function startBus(bus: NatsBusOptions, nats: NatsConnection): Promise<Bus> {
    const { prefix, limits = {} } = bus;
    const open = async () => {
      const manager = await jetstreamManager(nats);
      return { manager, firstEpoch: await ensureStream(manager, prefix, limits) };
    };
    const { manager, firstEpoch } = await insist(open, waiting, {
      waits: `waiting for NATS: the event log at ${printable(url)} does not answer yet`,
      gaveUp: (error) => error as Error,
      // The server has just started, or is busy.
      passes: (error) => error instanceof TimeoutError,
    });
    const session = createSession({
      connection: nats,
      ensureStream: () => ensureStream(manager, prefix, limits),
      firstEpoch,
      server: printable(url),
      clock,
      log,
    });
    return assemble(bus, nats, manager, session);
  }
}

function assemble(
  options: NatsBusOptions,
  connection: NatsConnection,
  manager: JetStreamManager,
  session: ReturnType<typeof createSession>,
): Bus {
  const { prefix, clock, log, limits = {}, publishDeadline = 5 * second, retries } = options;
  const mac = createHomeMac(options.key);
  const open = createOpener(mac);
  const client = jetstream(connection);
  const hearing = createHearing(connection, session, prefix, mac, log);
  const trimmer = createTrimmer(manager, session, prefix, log);
  const consumers = new Set<Subscription>();
  let deadReason: string | undefined;
  let closing: Promise<void> | undefined;

  const publish = createPublisher({
    jetstream: client,
    session,
    prefix,
    mac,
    clock,
    deadline: publishDeadline,
    maxPayload: () => Math.min(connection.info?.max_payload ?? usualMaxPayload, usualMaxPayload),
    onFull: () => void trimmer.trim(),
  });

  async function verify(epoch: string, confirmed: readonly Confirmed[]): Promise<void> {
    const present = await session.readyWithin(publishDeadline);
    if (present === null) throw unavailable(`the event log cannot be looked at: ${session.health().reason}`);
    if (present !== epoch) return;
    try {
      if ((await checkLife({ manager, prefix, mac, clock }, epoch, confirmed)) === epoch) return;
    } catch (error) {
      throw unavailable('the event log could not be looked at', error);
    }
    session.doubt('events that were confirmed are missing');
    await session.readyWithin(publishDeadline);
  }

  function onDeath(durable: string, error: unknown): void {
    deadReason = `the consumer ${durable} has ended: ${error instanceof Error ? error.message : String(error)}`;
    log.error({ durable, err: error }, 'a consumer has ended though nobody stopped it');
  }

  const stopConsuming = async () =>
    void (await Promise.all([...consumers].map((consumer) => consumer.stop())));

  async function close(): Promise<void> {
    await stopConsuming();
    trimmer.end();
    const connected = session.epoch() !== null;
    session.end();
    // The last signals and acknowledgements still go out, unless the server is unreachable.
    if (connected) hearing.leave();
    if (connected) await connection.drain();
    else await connection.close();
  }

  return {
    async publish(batch) {
      if (closing !== undefined) throw unavailable('the bus is closed');
      return await publish(batch);
    },
    verify,
    async consume(consume) {
      if (closing !== undefined) throw unavailable('the bus is closed');
      for (const filter of consume.subjects) checkFilter(filter);
      await session.ready();
      await ensureDurable(manager, prefix, consume.durable, consume.subjects, limits);
      const consumer = startNatsConsumer(
        {
          jetstream: client,
          manager,
          session,
          prefix,
          open,
          limits,
          log,
          onDeath,
          ...(retries ? { retries } : {}),
        },
        consume,
      );
      const subscription: Subscription = {
        async stop() {
          consumers.delete(subscription);
          await consumer.stop();
        },
      };
      consumers.add(subscription);
      return subscription;
    },
    ...createNatsSignals(connection, session, prefix, mac, log),
    heard: hearing.heard,
    mayConsume: () => true,
    onReconnect: session.onReconnect,
    epoch: session.lastEpoch,
    health() {
      if (closing !== undefined) return { ok: false, reason: 'the bus is closed' };
      if (deadReason !== undefined) return { ok: false, reason: deadReason };
      return session.health();
    },
    stopConsuming,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
