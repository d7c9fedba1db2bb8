import { minute, second } from '@hearth/clock';
import type {
  Consumer,
  ConsumerMessages,
  JetStreamClient,
  JetStreamManager,
  JsMsg,
} from '@nats-io/jetstream';
import type { Subscription as NatsSubscription } from '@nats-io/transport-node';
import type { ConsumeOptions, Log, Subscription } from './bus.ts';
import { createInbox, type Delivery } from './inbox.ts';
import { ensureDurable } from './nats-ensure.ts';
import type { createOpener } from './nats-open.ts';
import type { Session } from './nats-session.ts';
import { pause } from './pause.ts';
import { defaultAckWait, type StreamLimits } from './streams.ts';
import { type Retries, startWorker } from './worker.ts';

/** The most batches that a replica holds, waiting or being handled. */
const maxHeld = 128;
/** The most messages for which a replica remembers unhandled events. */
const maxUnhandled = 1_000;
const pauseAfterTrouble = 500;
/**
 * How long one pull request stays open, and how often the server confirms it. Each of these wakes this
 * process and the server. When a cluster loses a consumer's leader, the next leader ends the request.
 */
const request = { expires: 5 * minute, idle_heartbeat: minute };
/** How long `stop` waits for batches in transit. */
const longestDrain = 5 * second;

/** The library's type hides a request's subscription. */
type Pulling = ConsumerMessages & { sub: Pick<NatsSubscription, 'drain'> };

export interface NatsConsumerOptions {
  jetstream: JetStreamClient;
  manager: JetStreamManager;
  session: Session;
  prefix: string;
  open: ReturnType<typeof createOpener>;
  limits: StreamLimits;
  log: Log;
  retries?: Partial<Retries>;
  /** Called if the loop ends without a stop. */
  onDeath(durable: string, error: unknown): void;
}

/** Starts one replica of a durable, which pulls as many batches as it has room for until it is stopped. */
export function startNatsConsumer(options: NatsConsumerOptions, consume: ConsumeOptions): Subscription {
  const { jetstream, manager, session, prefix, open, limits, log, retries, onDeath } = options;
  const { durable, subjects, maxBatch = 200 } = consume;
  const inbox = createInbox();
  const held = new Set<JsMsg>();
  /**
   * Life of the log and message number -> the indexes of events not handled here, until the message is
   * redelivered.
   */
  const unhandled = new Map<string, readonly number[]>();
  const stopping = new AbortController();
  const roomWaiters: (() => void)[] = [];
  let pulling: Pulling | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let consumer: { epoch: string; pull: Consumer } | undefined;

  const worker = startWorker({
    name: durable,
    inbox,
    handle: consume.handle,
    maxBatch,
    log,
    ...(retries === undefined ? {} : { retries }),
  });

  // An open request to an unreachable server, or to a recreated log, would return nothing.
  session.onLoss(() => void pulling?.close());

  /**
   * Tells the server that a batch is still being handled or waiting, so that it is not redelivered to another
   * replica.
   */
  function beat(): void {
    if (held.size === 0) {
      clearInterval(heartbeat);
      heartbeat = undefined;
    } else if (session.epoch() !== null) {
      for (const message of held) message.working();
    }
  }

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
    // In a recreated log the number may name another batch, which the answer would settle by mistake.
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
    heartbeat ??= setInterval(beat, (limits.ackWait ?? defaultAckWait) / 3);
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

  /**
   * Another replica, or a process started since, handles the whole message again: consumers are idempotent.
   */
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
    if (stopping.signal.aborted) return;
    pulling = (await source.fetch({ max_messages: maxHeld - held.size, ...request })) as Pulling;
    if (stopping.signal.aborted) void drain();
    else if (session.epoch() !== epoch) void pulling.close();
    for await (const message of pulling) receive(message, epoch);
    pulling = undefined;
  }

  /**
   * Cancels the open request. Batches in transit still arrive; the server gives the others to another
   * replica.
   */
  async function drain(): Promise<void> {
    await pulling?.sub.drain().catch(() => pulling?.close());
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await pull();
      } catch (error) {
        if (stopping.signal.aborted) return;
        consumer = undefined;
        log.warn({ durable, err: error }, 'events could not be asked for; asking again');
        await pause(pauseAfterTrouble, stopping.signal);
      }
    }
  }

  const left = Promise.withResolvers<void>();
  const ended = loop();
  ended.catch((error) => onDeath(durable, error));

  async function stop(): Promise<void> {
    stopping.abort();
    wakeRoomWaiters();
    // An unreachable server sends nothing.
    const patience = session.epoch() === null ? 0 : longestDrain;
    const timer = setTimeout(() => {
      void pulling?.close();
      left.resolve();
    }, patience);
    void drain();
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
