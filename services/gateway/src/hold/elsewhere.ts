import type { Bus, Subscription } from '@hearth/bus';

/** The gateways of a home tell each other whose request they begin to hold, so that open waits are bounded over all. */
export interface Elsewhere {
  /** Tells the other gateways that a request of this owner is held here from now on. */
  tell(owner: string): void;
  /** Hears whose request another gateway began to hold. */
  onTold(hear: (owner: string) => void): Subscription;
}

/** The payload is the telling process, a line break, and the owner. */
const heldSignal = 'held';

/** @param self names this process among those of its home */
export function createElsewhere(bus: Pick<Bus, 'signal' | 'onSignal'>, self: string): Elsewhere {
  return {
    tell: (owner) => bus.signal(heldSignal, Buffer.from(`${self}\n${owner}`)),
    onTold: (hear) =>
      bus.onSignal(heldSignal, (payload) => {
        const [process, owner] = Buffer.from(payload).toString().split('\n');
        if (process !== self && owner !== undefined) hear(owner);
      }),
  };
}
