import type { Tx } from '@hearth/db';
import type { Announcement } from './announcement.ts';

/** An event ready to be written: its columns in `<schema>.outbox`. */
export interface OutboxRow {
  /** uuid; the event's id. */
  id: string;
  /** The case of Event.data: "message_sent". */
  type: string;
  /** The encoded Event. */
  event: Buffer;
  /** The thing that it is about; null where no order is kept. A row about a thing is written by `insert`, under the lock of the thing. */
  thing: string | null;
  /** The holders of these topics look again once the row is committed. */
  topics: readonly string[];
  /** The wake of its one topic carries this: an encoded Carried. */
  carried?: Uint8Array | undefined;
}

/** A service's announcements: written with the state they speak of, published right after the commit. */
export interface Outbox {
  /** Makes the row of an event with its id, time and trace, for a statement that writes its outbox rows itself. */
  row(announcement: Announcement): OutboxRow;
  /** Writes rows within `tx`. */
  insert(tx: Tx, rows: readonly OutboxRow[]): Promise<void>;
  /**
   * After the commit: wakes the holders of the rows' topics at once and hands the rows to the relay. Returns
   * at once and never fails: the sweep finds rows that a crash leaves here.
   */
  committed(rows: readonly OutboxRow[]): void;
  /** Tells every process that the holders of these topics should look again; nothing rests on it arriving. */
  wake(topics: readonly string[]): void;
}
