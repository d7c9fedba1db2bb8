/** A batch that has arrived and waits for its handling. Exactly one of `done` and `again` is called, once. */
export interface Delivery {
  readonly events: Uint8Array[];
  /** 1 at first, more when it was handed back before. */
  readonly attempt: number;
  /** It was handled; it does not come again. */
  done(): void;
  /** These of its events were not handled; they come again after that many milliseconds, to whichever replica is free. */
  again(delay: number, events: Uint8Array[], error?: unknown): void;
}

export interface Inbox {
  add(delivery: Delivery): void;
  /** Deliveries in order, up to `maxEvents` events; at least one if any waits. One that comes again stands alone. */
  take(maxEvents: number): Delivery[];
  takeAll(): Delivery[];
  /** Whether the delivery still waited here; it does no longer. */
  remove(delivery: Delivery): boolean;
  /** Resolves when something waits, or at the next `wake`. */
  arrival(): Promise<void>;
  wake(): void;
}

export function createInbox(): Inbox {
  let waiting: Delivery[] = [];
  let sleepers: (() => void)[] = [];

  function wake(): void {
    const woken = sleepers;
    sleepers = [];
    for (const resolve of woken) resolve();
  }

  function countToTake(maxEvents: number): number {
    let events = 0;
    for (const [index, delivery] of waiting.entries()) {
      const joins = delivery.attempt === 1 && events + delivery.events.length <= maxEvents;
      if (index > 0 && !joins) return index;
      if (delivery.attempt > 1) return 1;
      events += delivery.events.length;
    }
    return waiting.length;
  }

  function cut(count: number): Delivery[] {
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  }

  return {
    add(delivery) {
      waiting.push(delivery);
      wake();
    },
    take: (maxEvents) => cut(countToTake(maxEvents)),
    takeAll: () => cut(waiting.length),
    remove(delivery) {
      const index = waiting.indexOf(delivery);
      if (index >= 0) waiting.splice(index, 1);
      return index >= 0;
    },
    arrival: () =>
      waiting.length > 0 ? Promise.resolve() : new Promise((resolve) => sleepers.push(resolve)),
    wake,
  };
}
