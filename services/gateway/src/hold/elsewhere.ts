import type { Bus, Subscription } from '@hearth/bus';

/** The gateways of a home tell each other whose request they begin to hold, so that open waits are bounded over all. */
export interface Elsewhere {
  /** Tells the other gateways that a request of this owner is held here from now on. */
  tell(owner: string): void;
  /** Hears whose request another gateway began to hold. */
  onTold(hear: (owner: string) => void): Subscription;
}

/** The payload is the telling process and the owners, each on a line. */
const heldSignal = 'held';

/** @param self names this process among those of its home */
export function createElsewhere(bus: Pick<Bus, 'signal' | 'onSignal'>, self: string): Elsewhere {
  let telling: string[] = [];
  return {
    tell(owner) {
      telling.push(owner);
      if (telling.length > 1) return;
      // One signal for all that this turn of the event loop begins to hold.
      setImmediate(() => {
        bus.signal(heldSignal, Buffer.from([self, ...telling].join('\n')));
        telling = [];
      });
    },
    onTold: (hear) =>
      bus.onSignal(heldSignal, (payload) => {
        const [process, ...owners] = Buffer.from(payload).toString().split('\n');
        if (process !== self) for (const owner of owners) hear(owner);
      }),
  };
}
