import { day, minute, second } from '@hearth/clock';
import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream';
import { AckPolicy, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';

/** Names and sizes of everything a home has on a NATS server. */

const nanosecondsPerMillisecond = 1_000_000;
const nanoseconds = (milliseconds: number) => milliseconds * nanosecondsPerMillisecond;

/**
 * A home's name as one word of a subject: `home.example` is `home_example`. Other characters are written as
 * their hexadecimal code between two `=`, which keeps names distinct.
 */
export function homePrefix(homeName: string): string {
  return [...homeName]
    .map((character) => {
      if (/[a-z0-9-]/.test(character)) return character;
      return character === '.' ? '_' : `=${character.codePointAt(0)!.toString(16)}=`;
    })
    .join('');
}

export const streamName = (prefix: string) => `${prefix}-event`;
export const eventSubject = (prefix: string, subject: string) => `${prefix}.event.${subject}`;
export const hearingSubject = (prefix: string, subject: string) => `${prefix}.hearing.${subject}`;
export const signalSubject = (prefix: string, subject: string) => `${prefix}.signal.${subject}`;

/**
 * Short, so that another process soon takes over from a killed one; a live process renews it three times
 * within this time.
 */
export const defaultAckWait = 5 * second;
const duplicateWindow = 10 * minute;

export interface StreamLimits {
  /** Milliseconds after which an event leaves the log, handled or not (default 3 days). */
  maxAge?: number;
  /** The most bytes of the log on the server's disk (default 1 GiB). */
  maxBytes?: number;
  /**
   * The number of servers in a NATS cluster that store each event (1, 3 or 5). By default unchanged; 1 for a
   * new stream.
   */
  replicas?: number;
  /**
   * Milliseconds that a replica may be silent before its batches are redelivered to another (default 5,000).
   */
  ackWait?: number;
}

const defaultMaxAge = 3 * day;
const defaultMaxBytes = 1024 ** 3;

/**
 * The home's only stream. A full stream refuses new messages instead of dropping old ones: a refused batch
 * stays in its outbox and is published later, while a dropped one would be lost to a lagging consumer.
 * `createTrimmer` keeps it from filling with handled events.
 */
export function eventStream(
  prefix: string,
  limits: StreamLimits = {},
): Partial<StreamConfig> & { name: string } {
  return {
    name: streamName(prefix),
    subjects: [eventSubject(prefix, '>')],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_age: nanoseconds(limits.maxAge ?? defaultMaxAge),
    max_bytes: limits.maxBytes ?? defaultMaxBytes,
    duplicate_window: nanoseconds(Math.min(duplicateWindow, limits.maxAge ?? defaultMaxAge)),
    ...(limits.replicas !== undefined && { num_replicas: limits.replicas }),
  };
}

/** The fields of `eventStream` that may be changed on an existing stream. */
export const changeableStreamFields = [
  'subjects',
  'discard',
  'max_age',
  'max_bytes',
  'duplicate_window',
  'num_replicas',
] as const satisfies readonly (keyof StreamConfig)[];

export function durableConsumer(
  prefix: string,
  durable: string,
  subjects: readonly string[],
  limits: StreamLimits = {},
): Partial<ConsumerConfig> & { durable_name: string } {
  return {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanoseconds(limits.ackWait ?? defaultAckWait),
    // Everything in the stream, so that a new consumer, or one whose server lost its data, misses nothing.
    deliver_policy: DeliverPolicy.All,
    filter_subjects: subjects.map((subject) => eventSubject(prefix, subject)),
    max_ack_pending: 1_024,
    max_deliver: -1,
    // A durable unused for longer than events live would only hold back trimming.
    inactive_threshold: nanoseconds((limits.maxAge ?? defaultMaxAge) + day),
  };
}
