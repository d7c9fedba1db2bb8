import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export interface DeliveryLink {
  /** Watches a topic; `onWatched` is called once delivery confirms it. */
  watch(topic: string): void;
  unwatch(topic: string): void;
  close(): void;
}

export interface Deps extends Pick<Host, 'clock' | 'log'> {
  delivery: Pick<Client<typeof DeliveryService>, 'hold'>;
  /** Every topic that a new stream has to watch. */
  topics(): Iterable<string>;
  onWatched(topics: string[]): void;
  /** @param carried the encoded payload of the wake, by topic */
  onWoken(topics: string[], carried: Readonly<Record<string, Uint8Array>>): void;
  /** The stream broke: wakes may be missed until the topics are watched again. */
  onLost(): void;
}

type Stream = ReturnType<Deps['delivery']['hold']>;

/** Streams are renewed regularly, so that they spread over new pods and don't outlive connections. */
const renewEveryMs = 150_000;
const topicsInOneRequest = 5_000;
const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * The gateway's one stream to delivery. Topics of the same turn of the event loop share a request. A broken
 * stream is reopened. A stream that is being renewed, or that delivery is about to close, ends once its
 * successor watches everything.
 */
export function createDeliveryLink(deps: Deps): DeliveryLink {
  const { delivery, clock, log, onLost, onWatched, onWoken } = deps;
  let current: Connection | undefined;
  let closed = false;
  let pauseMs = firstPauseMs;
  let toWatch: string[] = [];
  let toUnwatch: string[] = [];
  let scheduled = false;
  const renewal = setInterval(() => connect(), renewEveryMs);
  renewal.unref();

  interface Connection {
    stream: Stream;
    sequence: bigint;
    unacknowledged: { sequence: bigint; topics: string[] }[];
    since: number;
  }

  function send(connection: Connection, watch: string[], unwatch: string[]): void {
    for (let start = 0; start === 0 || start < watch.length; start += topicsInOneRequest) {
      const topics = watch.slice(start, start + topicsInOneRequest);
      connection.sequence += 1n;
      connection.unacknowledged.push({ sequence: connection.sequence, topics });
      connection.stream.write({
        sequence: connection.sequence,
        watch: topics,
        unwatch: start === 0 ? unwatch : [],
      });
    }
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const [watch, unwatch] = [toWatch, toUnwatch];
      toWatch = [];
      toUnwatch = [];
      // Without a stream there is nothing to send: the next one starts with every topic.
      if (current !== undefined && watch.length + unwatch.length > 0) send(current, watch, unwatch);
    });
  }

  function connect(): void {
    if (closed) return;
    const previous = current;
    const connection: Connection = {
      stream: delivery.hold(),
      sequence: 0n,
      unacknowledged: [],
      since: clock.now(),
    };
    current = connection;
    send(connection, [...deps.topics()], []);
    void listen(connection, previous);
  }

  async function listen(connection: Connection, previous: Connection | undefined): Promise<void> {
    let replaced = previous;
    try {
      for await (const { acknowledged, woken, carried, leaving } of connection.stream.answers) {
        if (acknowledged > 0n) {
          pauseMs = firstPauseMs;
          onWatched(takeAcknowledged(connection, acknowledged));
          // The new stream watches everything that the old one did, so nothing is missed between them.
          replaced?.stream.end();
          replaced = undefined;
        }
        if (woken.length > 0) onWoken(woken, carried);
        if (leaving && connection === current) connect();
      }
    } catch (err) {
      log.debug({ err }, 'the stream to delivery broke');
    }
    replaced?.stream.end();
    if (connection === current) reconnect();
  }

  function reconnect(): void {
    current = undefined;
    if (closed) return;
    onLost();
    const timer = setTimeout(connect, pauseMs);
    timer.unref();
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  connect();
  return {
    watch(topic) {
      toWatch.push(topic);
      schedule();
    },
    unwatch(topic) {
      toUnwatch.push(topic);
      schedule();
    },
    close() {
      closed = true;
      clearInterval(renewal);
      current?.stream.end();
    },
  };

  function takeAcknowledged(connection: Connection, sequence: bigint): string[] {
    const topics: string[] = [];
    while (connection.unacknowledged[0] !== undefined && connection.unacknowledged[0].sequence <= sequence) {
      topics.push(...connection.unacknowledged.shift()!.topics);
    }
    return topics;
  }
}
