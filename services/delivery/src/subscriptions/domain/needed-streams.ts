import type { Tx } from '@hearth/db';
import type { RecordedWakeUp } from '../actions/fan-out.ts';

/** A place in the stream of an AI: what a cursor says. */
export interface StreamPlace {
  /** Everything up to this number came before. 0: the beginning. */
  number: number;
  /** At which it was so. */
  at: Date;
}

/** What subscriptions need of the streams, which give it as functions of src/streams. */
export interface NeededStreams {
  /**
   * Locks the stream of an AI to the end of the transaction; makes it when there is none; keeps it active until
   * `until` at least; notes for whose items the AI is woken (uuid; null: only what happens to itself). Gives the number
   * of its last wake-up, and the one before the first that may be read (what came before it belongs to earlier hands).
   */
  hold(
    tx: Tx,
    stream: { ai: string; person: string | null; now: Date; until: Date },
  ): Promise<{ last: number; floor: number }>;
  /**
   * The wake-ups of a stream after a place, oldest first, the newest `limit` of them; `truncated` when some that came
   * after the place are not kept any more, are older than `since`, or beyond the limit.
   */
  after(
    tx: Tx,
    asked: {
      ai: string;
      name: string;
      group: string | null;
      place: StreamPlace;
      since: Date | null;
      limit: number;
    },
  ): Promise<{ wakeUps: RecordedWakeUp[]; truncated: boolean }>;
  encodeCursor(ai: string, place: StreamPlace): string;
  /** Null when it is no cursor of this AI's stream. */
  decodeCursor(ai: string, cursor: string): StreamPlace | null;
}
