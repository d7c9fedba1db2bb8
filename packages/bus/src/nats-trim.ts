import { minute } from '@hearth/clock';
import type { ConsumerInfo, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { Log } from './bus.ts';
import { noteTrimmed } from './nats-life.ts';
import type { Session } from './nats-session.ts';
import { streamName } from './streams.ts';

/** The fill level above which handled events are trimmed. */
const trimAbove = 0.5;
const warnAbove = 0.8;

export interface Trimmer {
  /** Trims now, outside the schedule of once a minute. */
  trim(): Promise<void>;
  end(): void;
}

/**
 * Keeps a stream that refuses new messages from filling up with old ones: once it is half full, events that
 * every durable has handled are removed. Any process may do this at any time.
 */
export function createTrimmer(
  manager: JetStreamManager,
  session: Session,
  prefix: string,
  log: Log,
): Trimmer {
  const stream = streamName(prefix);
  let trimming = false;

  async function trimOnce(): Promise<void> {
    const info = await manager.streams.info(stream);
    if (fill(info) < trimAbove) return;
    const durables: ConsumerInfo[] = [];
    for await (const durable of manager.consumers.list(stream)) durables.push(durable);
    const handled = handledByAll(info, durables);
    if (handled >= info.state.first_seq) {
      await noteTrimmed(manager, info, handled);
      await manager.streams.purge(stream, { seq: handled + 1 });
    }
    const left = await manager.streams.info(stream);
    log.info({ handled, fill: fill(left) }, 'handled events were removed from the event log');
    if (fill(left) > warnAbove) {
      const behind = durables.map(({ name, num_pending }) => `${name} by ${num_pending}`).join(', ');
      log.error({ fill: fill(left), behind }, 'the event log fills up because a consumer lags');
    }
  }

  async function trim(): Promise<void> {
    if (trimming || session.epoch() === null) return;
    trimming = true;
    try {
      await trimOnce();
    } catch (error) {
      log.warn({ err: error }, 'the event log could not be trimmed; it is tried again in a minute');
    }
    trimming = false;
  }

  const timer = setInterval(() => void trim(), minute);
  return { trim, end: () => clearInterval(timer) };
}

function fill({ state, config }: StreamInfo): number {
  return config.max_bytes > 0 ? state.bytes / config.max_bytes : 0;
}

/** The position up to which every durable has handled its events; 0 if there are no durables. */
function handledByAll(stream: StreamInfo, durables: readonly ConsumerInfo[]): number {
  if (durables.length === 0) return 0;
  return Math.min(...durables.map((durable) => handledBy(stream, durable)));
}

function handledBy(stream: StreamInfo, durable: ConsumerInfo): number {
  // Its acknowledged floor stands still while only events of other subjects arrive.
  const idle = durable.num_pending === 0 && durable.num_ack_pending === 0;
  return idle ? stream.state.last_seq : durable.ack_floor.stream_seq;
}
