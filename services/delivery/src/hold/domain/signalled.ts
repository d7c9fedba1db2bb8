/** The events whose signal this process received: their topics were already woken. */
export interface Signalled {
  add(events: readonly string[]): void;
  /** Returns whether the event's signal arrived, and forgets the event: ask once per event. */
  take(event: string): boolean;
}

/** @param bound the most events remembered; a forgotten event wakes its topics a second time */
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
