import type { Bus, Subscription } from '@hearth/bus';

/** The gateways of a home announce to each other the owners whose requests they begin to hold: open waits are bounded over all. */
export interface Elsewhere {
  /** A request of this owner is held here from now on. */
  announce(hold: { owner: string; operation: string }): void;
  /** Receives the owners whose requests another gateway began to hold, each with the operation. */
  onAnnounced(receive: (owner: string, operation: string) => void): Subscription;
}

/** The payload is the sending process, and on a line each the owner and the operation, with a tab between. */
const heldSignal = 'held';

/** @param self names this process among those of its home */
export function createElsewhere(bus: Pick<Bus, 'signal' | 'onSignal'>, self: string): Elsewhere {
  let pending: string[] = [];
  return {
    announce({ owner, operation }) {
      pending.push(`${owner}\t${operation}`);
      if (pending.length > 1) return;
      // One signal for all that this turn of the event loop begins to hold.
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
