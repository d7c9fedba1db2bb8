/** Limits this process's concurrent requests to one home (`max_at_once` of its document); others wait in order. */
export interface Slots {
  /** Returns null if no slot became free in time, or too many wait. @param most at once, 1 or more */
  run<Answer>(
    home: string,
    most: number,
    waitMs: number,
    work: () => Promise<Answer>,
  ): Promise<Answer | null>;
}

const usualMostWaiting = 64;

export function createSlots(mostWaiting = usualMostWaiting): Slots {
  const homes = new Map<string, { busy: number; waiting: Set<() => void> }>();

  async function enter(home: string, most: number, waitMs: number): Promise<boolean> {
    const slots = homes.get(home) ?? { busy: 0, waiting: new Set() };
    homes.set(home, slots);
    if (slots.busy < most) {
      slots.busy += 1;
      return true;
    }
    if (slots.waiting.size >= mostWaiting) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const go = () => resolve(true);
    slots.waiting.add(go);
    const timer = setTimeout(() => {
      slots.waiting.delete(go);
      resolve(false);
    }, waitMs);
    const entered = await promise;
    clearTimeout(timer);
    return entered;
  }

  function leave(home: string): void {
    const slots = homes.get(home)!;
    const [next] = slots.waiting;
    if (next !== undefined) {
      // The next waiter takes over the slot.
      slots.waiting.delete(next);
      next();
      return;
    }
    slots.busy -= 1;
    if (slots.busy === 0) homes.delete(home);
  }

  return {
    async run(home, most, waitMs, work) {
      if (!(await enter(home, most, waitMs))) return null;
      try {
        return await work();
      } finally {
        leave(home);
      }
    },
  };
}
