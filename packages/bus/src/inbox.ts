/** A batch waiting to be handled. Either `done` or `again` is called, once. */
export interface Delivery {
  readonly events: Uint8Array[];
  /** 1 at first; higher when redelivered. */
  readonly attempt: number;
  /** Acknowledges the batch. */
  done(): void;
  /** Hands these events back, to be redelivered to any free replica after `delay` milliseconds. */
  again(delay: number, events: Uint8Array[], error?: unknown): void;
}

export interface Inbox {
  add(delivery: Delivery): void;
  /**
   * Deliveries in order, up to `maxEvents` events; at least one if any waits. A redelivered batch stands
   * alone.
   */
  take(maxEvents: number): Delivery[];
  takeAll(): Delivery[];
  /** Removes a delivery; false if it was no longer waiting here. */
  remove(delivery: Delivery): boolean;
  /** Resolves when a delivery waits, or at the next `wake`. */
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
