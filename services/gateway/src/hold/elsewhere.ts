import type { Bus, Subscription } from '@hearth/bus';

/** The gateways of a home announce to each other the owners whose requests they begin to hold: open waits are bounded over all. */
export interface Elsewhere {
  /** A request of this owner is held here from now on. */
  announce(owner: string): void;
  /** Receives the owners whose requests another gateway began to hold. */
  onAnnounced(receive: (owner: string) => void): Subscription;
}

/** The payload is the sending process and the owners, each on a line. */
const heldSignal = 'held';

/** @param self names this process among those of its home */
export function createElsewhere(bus: Pick<Bus, 'signal' | 'onSignal'>, self: string): Elsewhere {
  let pending: string[] = [];
  return {
    announce(owner) {
      pending.push(owner);
      if (pending.length > 1) return;
      // One signal for all that this turn of the event loop begins to hold.
      setImmediate(() => {
        bus.signal(heldSignal, Buffer.from([self, ...pending].join('\n')));
        pending = [];
      });
    },
    onAnnounced: (receive) =>
      bus.onSignal(heldSignal, (payload) => {
        const [process, ...owners] = Buffer.from(payload).toString().split('\n');
        if (process !== self) for (const owner of owners) receive(owner);
      }),
  };
}
