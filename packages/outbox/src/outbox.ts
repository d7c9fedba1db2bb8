import type { Tx } from '@hearth/db';
import type { Announcement } from './announcement.ts';

/** An event ready to be written, as a row of `<schema>.outbox`. */
export interface OutboxRow {
  /** uuid; the event's id. */
  id: string;
  /** The case of Event.data, such as "message_sent". */
  type: string;
  /** The encoded Event. */
  event: Buffer;
  /**
   * The thing that the event is about; null if its order does not matter. Rows about a thing are written by
   * `insert`, under the thing's lock.
   */
  thing: string | null;
  /** Wakes holders of these topics after the commit. */
  topics: readonly string[];
  /** Sent with the wake of its only topic: an encoded Carried. */
  carried?: Uint8Array | undefined;
}

/** A service's announcements, written with the state they describe and published right after the commit. */
export interface Outbox {
  /** Creates an event's row with id, time and trace, for a statement that writes its own outbox rows. */
  row(announcement: Announcement): OutboxRow;
  /** Writes rows within `tx`. Returns those that were not written before, by their ids. */
  insert(tx: Tx, rows: readonly OutboxRow[]): Promise<OutboxRow[]>;
  /**
   * Call after the commit: wakes holders of the rows' topics and hands the rows to the relay. Returns at once
   * and never fails; the sweep finds rows left behind by a crash.
   */
  committed(rows: readonly OutboxRow[]): void;
  /** Wakes the holders of these topics in every process, without a guarantee of delivery. */
  wake(topics: readonly string[]): void;
}
