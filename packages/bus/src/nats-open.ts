import { decodeFrame } from './frame.ts';
import type { HomeMac } from './home-mac.ts';

/** A message of the log. */
export interface LogMessage {
  /** Its number in that life of the log. */
  seq: number;
  subject: string;
  data: Uint8Array;
}

/** So many messages are remembered, of at most so many bytes each: durables take one after another within moments. */
const most = 64;
const mostBytes = 64 * 1024;

/**
 * The events of a message, which the home has sent. Several durables of a process are given the same message: its proof is computed
 * and its events are cut out once, so that all are handed the same bytes, as on the bus within a process.
 *
 * @throws where the home has not sent it, and where it is no batch of events
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
