import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Tx } from '@hearth/db';
import type { ActorSchema } from '@hearth/proto/common/v1/caller';
import type { EventSchema } from '@hearth/proto/events/v1/events';

export type EventData = NonNullable<MessageInitShape<typeof EventSchema>['data']>;

/** An event ready to be written: its columns in `<schema>.outbox`. */
export interface OutboxRow {
  /** uuid; the event's id. */
  id: string;
  /** The case of Event.data: "message_sent". */
  type: string;
  /** The encoded Event. */
  event: Buffer;
  /** Whose holders look again once the row is committed. */
  topics: readonly string[];
}

/** A service's announcements: written with the state they speak of, published right after the commit. */
export interface Outbox {
  /**
   * Makes an event: its id, time and trace. `topics` are woken once it is published and heard. `by` is who did it
   * (actorOf in @hearth/rpc), absent when it happened by itself.
   * For writes that put their outbox rows into their own SQL statement; afterwards call `committed`.
   */
  row(data: EventData, topics?: readonly string[], by?: MessageInitShape<typeof ActorSchema>): OutboxRow;
  /** Writes rows into the outbox within `tx`. After the commit call `committed` with them. */
  announce(tx: Tx, rows: readonly OutboxRow[]): Promise<void>;
  /**
   * After the commit: wakes the holders of the rows' topics at once and hands the rows to the relay. Returns
   * at once and never fails: what a crash leaves here is found by the sweep.
   */
  committed(rows: readonly OutboxRow[]): void;
  /** Tells every process that the holders of these topics should look again; nothing rests on it arriving. */
  wake(topics: readonly string[]): void;
}
