import type { Clock } from '@hearth/clock';
import { HearthError, internal, unavailable } from '@hearth/errors';
import { JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import type { Batch, Published } from './bus.ts';
import { encodeFrame, largestEvent, splitForFrames } from './frame.ts';
import { type HomeMac, macBytes } from './home-mac.ts';
import type { Session } from './nats-session.ts';
import { eventSubject } from './streams.ts';
import { checkSubject } from './subjects.ts';

/** The room for headers and MAC within the server's largest payload. */
const headerRoom = 1_024 + macBytes;
const longestId = 256;
/** JetStream's error code for a full stream that refuses new messages. */
const streamFull = 10_077;

export interface PublisherOptions {
  jetstream: JetStreamClient;
  session: Session;
  prefix: string;
  mac: HomeMac;
  clock: Clock;
  /** Milliseconds within which a batch is durable or rejected. */
  deadline: number;
  /** The server's limit on the bytes of one message. */
  maxPayload(): number;
  onFull(): void;
}

export function createPublisher(options: PublisherOptions): (batch: Batch) => Promise<Published> {
  const { jetstream, session, prefix, mac, clock, deadline, maxPayload, onFull } = options;

  async function publishFrame(
    subject: string,
    id: string,
    events: Uint8Array[],
    until: number,
  ): Promise<Published> {
    try {
      const options = { msgID: id, timeout: Math.max(1, until - clock.now()) };
      const whole = eventSubject(prefix, subject);
      const { seq } = await jetstream.publish(whole, mac.sign(whole, encodeFrame(events)), options);
      return { last: { position: seq, event: events.at(-1)! }, refused: [] };
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  function asUnavailable(error: unknown): HearthError {
    if (error instanceof JetStreamApiError && error.code === streamFull) {
      onFull();
      return unavailable(
        'the event log is full, because a consumer lags behind or its size is set too small',
        error,
      );
    }
    // Nothing listens on the stream's subject: the stream was removed under the open connection.
    if (error instanceof Error && error.name === 'JetStreamNotEnabled')
      session.doubt('the event log is missing');
    return unavailable(`NATS did not confirm a batch of events within ${deadline} ms`, error);
  }

  function checkId(id: string): void {
    if (id.length === 0 || id.length > longestId) {
      throw internal(`the id of a batch has 1 to ${longestId} characters`);
    }
  }

  return async (batch) => {
    checkSubject(batch.subject);
    checkId(batch.id);
    const maxFrame = maxPayload() - headerRoom;
    const largest = largestEvent(maxFrame);
    const refused = batch.events
      .filter((event) => event.length > largest)
      .map((event) => ({ event, error: tooLarge(event, largest) }));
    const runs = splitForFrames(
      batch.events.filter((event) => event.length <= largest),
      maxFrame,
    );
    if (runs.length === 0) return { refused };
    const until = clock.now() + deadline;
    // A batch past its deadline is never sent; otherwise all batches given up during an outage would be sent
    // at its end.
    if (session.epoch() === null && (await session.readyWithin(deadline)) === null) {
      throw unavailable(`events cannot be published: ${session.health().reason ?? 'NATS is away'}`);
    }
    let published: Published | undefined;
    // In sequence: sent together, a failed first part could follow the second.
    for (const [index, events] of runs.entries()) {
      const id = runs.length === 1 ? batch.id : `${batch.id}/${index}`;
      published = await publishFrame(batch.subject, id, events, until);
    }
    return { ...published, refused };
  };
}

function tooLarge({ length }: Uint8Array, largest: number): HearthError {
  return new HearthError('too_large', `an event of ${length} bytes fits no message; the most is ${largest}`);
}
