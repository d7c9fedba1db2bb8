import { decodeFrame } from './frame.ts';
import type { HomeMac } from './home-mac.ts';

export interface LogMessage {
  /** Its sequence number in this life of the log. */
  seq: number;
  subject: string;
  data: Uint8Array;
}

/**
 * The number of messages remembered, and the most bytes of each: a process's durables receive the same
 * message within moments.
 */
const most = 64;
const mostBytes = 64 * 1024;

/**
 * Verifies and decodes a message, and remembers the result: several durables of a process receive the same
 * message, and share its events as they would on the in-process bus.
 *
 * @throws if this home did not send the message, or it is not a batch of events
 */
export function createOpener(
  mac: Pick<HomeMac, 'open'>,
): (message: LogMessage, epoch: string) => Uint8Array[] {
  const opened = new Map<string, LogMessage & { events: Uint8Array[] }>();
  return ({ seq, subject, data }, epoch) => {
    const name = `${epoch} ${seq}`;
    const known = opened.get(name);
    if (known !== undefined && known.subject === subject && Buffer.compare(known.data, data) === 0)
      return known.events;
    const events = decodeFrame(mac.open(subject, data));
    if (data.length <= mostBytes) {
      opened.set(name, { seq, subject, data, events });
      const [oldest] = opened.keys();
      if (opened.size > most) opened.delete(oldest!);
    }
    return events;
  };
}
