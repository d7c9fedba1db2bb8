/** The events whose signals this process received: their topics were woken already. */
export interface Signalled {
  add(events: readonly string[]): void;
  /** Whether the signal of that event came; asked once for each event, which is forgotten with the answer. */
  take(event: string): boolean;
}

/** @param bound the most events remembered; the oldest are forgotten first, and then wake a second time */
export function createSignalled(bound = 50_000): Signalled {
  const events = new Set<string>();
  return {
    add(added) {
      for (const event of added) events.add(event);
      for (const oldest of events) {
        if (events.size <= bound) break;
        events.delete(oldest);
      }
    },
    take: (event) => events.delete(event),
  };
}
