import { day, minute, second } from '@hearth/clock';
import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream';
import { AckPolicy, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';

/** Every stream, subject and durable that a home has on a NATS server is named and sized here. */

const nanosecondsPerMillisecond = 1_000_000;
const nanoseconds = (milliseconds: number) => milliseconds * nanosecondsPerMillisecond;

/**
 * A home's name as one word of a subject: `home.example` is `home_example`. A character that a word cannot hold is
 * written as its hexadecimal code between two `=`, so that no two names become one.
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

/** Short, so that another process soon takes over what a killed one held; a living one says thrice within it that it is. */
export const defaultAckWait = 5 * second;
const duplicateWindow = 10 * minute;

export interface StreamLimits {
  /** Milliseconds after which an event leaves the log, handled or not (default 3 days). */
  maxAge?: number;
  /** The most bytes the log may take on the server's disk (default 1 GiB). */
  maxBytes?: number;
  /** On how many servers of a NATS cluster each event is stored (1, 3 or 5); what the stream has when not given, at first 1. */
  replicas?: number;
  /** Milliseconds for which a replica may be silent before its batches go to another (default 5,000). */
  ackWait?: number;
}

const defaultMaxAge = 3 * day;
const defaultMaxBytes = 1024 ** 3;

/**
 * The home's one stream. A full stream refuses what is new instead of dropping what is old: a refused
 * batch stays in its outbox and is published later, while a dropped one would be lost to a consumer that
 * lags. `createTrimmer` keeps a stream from filling with events that everybody has handled.
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

/** The fields of `eventStream` that an operator's change or a new version may alter on a stream that exists. */
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
    // All that the stream still has: a consumer that is new, or whose server lost its data, misses nothing.
    deliver_policy: DeliverPolicy.All,
    filter_subjects: subjects.map((subject) => eventSubject(prefix, subject)),
    max_ack_pending: 1_024,
    max_deliver: -1,
    // A durable that was not used for longer than an event lives would only hold back the trimming.
    inactive_threshold: nanoseconds((limits.maxAge ?? defaultMaxAge) + day),
  };
}
