import { printId } from '@hearth/ids';
import { controlId } from '../../shared/domain/control-id.ts';
import type { StreamPlace } from '../../shared/domain/streams.ts';
import type { DueSend } from '../db/subscription-sends.ts';
import { printCursor } from './cursor.ts';

type Sent = Pick<
  DueSend,
  'kind' | 'event_id' | 'ai' | 'name' | 'number' | 'at' | 'data' | 'gap_from' | 'open_number' | 'open_at'
>;

/** Returns the id and body of a message. */
export function messageOf(send: Sent): { id: string; body: string } {
  const { kind, event_id, ai, name, at, data, gap_from } = send;
  const cursor = (place: StreamPlace) => printCursor(ai, place);
  switch (kind) {
    case 1: {
      const eventId = printId('evt', event_id);
      const timestamp = at.toISOString();
      const body = { eventId, name, timestamp, data, cursor: cursor(watermark(send)) };
      return { id: eventId, body: JSON.stringify(body) };
    }
    case 2: {
      const body = { type: 'gap', cursor: cursor({ number: gap_from ?? 0, at }) };
      return { id: controlId('gap', event_id), body: JSON.stringify(body) };
    }
    case 3:
      return {
        id: controlId('terminated', event_id),
        body: JSON.stringify({ type: 'terminated', error: data }),
      };
  }
}

/**
 * Returns the position that is safe to keep once this wake-up is delivered: it and all earlier wake-ups were
 * delivered or given up. It is the wake-up's own position, unless an earlier one still waits.
 */
function watermark({ number, at, open_number, open_at }: Sent): StreamPlace {
  if (open_number === null || open_number > number) return { number, at };
  return { number: open_number - 1, at: open_at! };
}
