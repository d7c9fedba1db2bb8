import { second } from '@hearth/clock';
import type {
  Consumer,
  ConsumerMessages,
  JetStreamClient,
  JetStreamManager,
  JsMsg,
} from '@nats-io/jetstream';
import type { ConsumeOptions, Log, Subscription } from './bus.ts';
import { createInbox, type Delivery } from './inbox.ts';
import { ensureDurable } from './nats-ensure.ts';
import type { createOpener } from './nats-open.ts';
import type { Session } from './nats-session.ts';
import { createPauses } from './pauses.ts';
import { defaultAckWait, type StreamLimits } from './streams.ts';
import { type Retries, startWorker } from './worker.ts';

/** The most batches that one replica holds, waiting and in hand. */
const maxHeld = 128;
/** The most messages of which one replica remembers the events that are to come again. */
const maxUnhandled = 1_000;
const pauseAfterTrouble = 500;

export interface NatsConsumerOptions {
  jetstream: JetStreamClient;
  manager: JetStreamManager;
  session: Session;
  prefix: string;
  open: ReturnType<typeof createOpener>;
  limits: StreamLimits;
  /** Milliseconds for which one request for batches stays open; the longest that `stop` waits for it. */
  pullWait: number;
  log: Log;
  retries?: Partial<Retries>;
  /** Called when the loop ends without a stop. */
  onDeath(durable: string, error: unknown): void;
}

/** One replica of a durable: asks the server for as many batches as it has room for, for as long as it is not stopped. */
export function startNatsConsumer(options: NatsConsumerOptions, consume: ConsumeOptions): Subscription {
  const { jetstream, manager, session, prefix, open, limits, pullWait, log, retries, onDeath } = options;
  const { durable, subjects, maxBatch = 200 } = consume;
  const inbox = createInbox();
  const held = new Set<JsMsg>();
  /** Which events of a message were not handled here, by the log's life and its number, until it comes again. */
  const unhandled = new Map<string, readonly number[]>();
  const pauses = createPauses();
  const roomWaiters: (() => void)[] = [];
  let pulling: ConsumerMessages | undefined;
  let consumer: { epoch: string; pull: Consumer } | undefined;
  let stopping = false;

  const worker = startWorker({
    name: durable,
    inbox,
    handle: (events) => consume.handle(events),
    maxBatch,
    log,
    ...(retries === undefined ? {} : { retries }),
  });

  // A long handling, or a long wait behind one, is told to the server; else it would give the batch to another replica.
  const heartbeat = setInterval(
    () => {
      if (session.epoch() === null) return;
      for (const message of held) message.working();
    },
    (limits.ackWait ?? defaultAckWait) / 3,
  );

  function wakeRoomWaiters(): void {
    for (const resolve of roomWaiters.splice(0)) resolve();
  }

  function settle(message: JsMsg, epoch: string, answer: () => void): void {
    held.delete(message);
    if (held.size <= maxHeld / 2) wakeRoomWaiters();
    if (session.epoch() === epoch) {
      answer();
      return;
    }
    // Its number may name another batch in a log that was made anew: an answer would be for that one.
    void session.ready().then((now) => {
      if (now === epoch) answer();
    });
  }

  function receive(message: JsMsg, epoch: string): void {
    let events: Uint8Array[];
    try {
      events = open(message, epoch);
    } catch (error) {
      log.error(
        { durable, subject: message.subject, err: error },
        'a message on the bus is not ours; it is left out',
      );
      message.term('not a batch of events');
      return;
    }
    held.add(message);
    const name = `${epoch} ${message.seq}`;
    const known = unhandled.get(name);
    unhandled.delete(name);
    const delivery: Delivery = {
      events: known === undefined ? events : known.map((index) => events[index]!),
      attempt: message.info.deliveryCount,
      done: () => settle(message, epoch, () => message.ack()),
      again(delay, rest) {
        remember(
          name,
          rest.map((event) => events.indexOf(event)),
        );
        settle(message, epoch, () => message.nak(delay));
      },
    };
    inbox.add(delivery);
  }

  /** Another replica, or a process that began since, handles the whole message again: consumers are idempotent. */
  function remember(message: string, indexes: readonly number[]): void {
    unhandled.set(message, indexes);
    const [oldest] = unhandled.keys();
    if (unhandled.size > maxUnhandled) unhandled.delete(oldest!);
  }

  async function present(): Promise<{ epoch: string; pull: Consumer }> {
    const epoch = await session.ready();
    if (consumer?.epoch === epoch) return consumer;
    const info = await ensureDurable(manager, prefix, durable, subjects, limits);
    consumer = { epoch, pull: jetstream.consumers.getConsumerFromInfo(info) };
    return consumer;
  }

  function room(): Promise<void> {
    if (held.size <= maxHeld / 2) return Promise.resolve();
    return new Promise((resolve) => roomWaiters.push(resolve));
  }

  async function pull(): Promise<void> {
    const { epoch, pull: source } = await present();
    await room();
    if (stopping) return;
    pulling = await source.fetch({ max_messages: maxHeld - held.size, expires: pullWait });
    for await (const message of pulling) receive(message, epoch);
    pulling = undefined;
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      try {
        await pull();
      } catch (error) {
        if (stopping) return;
        consumer = undefined;
        log.warn({ durable, err: error }, 'events could not be asked for; asking again');
        await pauses.wait(pauseAfterTrouble);
      }
    }
  }

  const left = Promise.withResolvers<void>();
  const ended = loop();
  ended.catch((error) => onDeath(durable, error));

  async function stop(): Promise<void> {
    stopping = true;
    pauses.end();
    wakeRoomWaiters();
    // The open request ends by itself and what it still brings is handled: were it cut off, batches on
    // their way here would reach no consumer until their ack_wait is over. A server that is away sends nothing.
    const patience = session.epoch() === null ? 0 : pullWait + second;
    const timer = setTimeout(() => {
      void pulling?.close();
      left.resolve();
    }, patience);
    await Promise.race([ended, left.promise]);
    clearTimeout(timer);
    await worker.stop();
    for (const delivery of inbox.takeAll()) delivery.again(0, delivery.events);
    clearInterval(heartbeat);
  }

  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
