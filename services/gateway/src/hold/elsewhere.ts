import type { Bus, Subscription } from '@hearth/bus';

/**
 * The gateways of a home announce the owners of the requests that they start to hold, so that the bound on
 * open waits holds across gateways.
 */
export interface Elsewhere {
  /** Announces that this gateway holds a request of the owner. */
  announce(hold: { owner: string; operation: string }): void;
  /** Receives the owners whose requests other gateways started to hold, with the operation. */
  onAnnounced(receive: (owner: string, operation: string) => void): Subscription;
}

/** The payload: the sending process, then one line for each hold with owner and operation, separated by a tab. */
const heldSignal = 'held';

/** @param self identifies this process within its home */
export function createElsewhere(bus: Pick<Bus, 'signal' | 'onSignal'>, self: string): Elsewhere {
  let pending: string[] = [];
  return {
    announce({ owner, operation }) {
      pending.push(`${owner}\t${operation}`);
      if (pending.length > 1) return;
      // One signal for all holds that start in this turn of the event loop.
      setImmediate(() => {
        bus.signal(heldSignal, Buffer.from([self, ...pending].join('\n')));
        pending = [];
      });
    },
    onAnnounced: (receive) =>
      bus.onSignal(heldSignal, (payload) => {
        const [process, ...lines] = Buffer.from(payload).toString().split('\n');
        if (process === self) return;
        for (const line of lines) {
          const [owner = '', operation = ''] = line.split('\t');
          receive(owner, operation);
        }
      }),
  };
}
