/** The first contacts still allowed for a home, shared by items processed concurrently. */
export interface Allowance {
  /**
   * Runs the work once no concurrent work can use up what it may need; when little is left, it waits for the
   * others.
   *
   * @param most the most that the work can use
   * @param work takes the number left, and returns the number it used
   */
  within<Done extends { firstContacts: number }>(
    most: number,
    work: (left: number) => Promise<Done>,
  ): Promise<Done>;
}

export function createAllowance(given: number): Allowance {
  let left = given;
  let reserved = 0;
  let waiting: (() => void)[] = [];
  return {
    async within(most, work) {
      while (left > 0 && reserved > 0 && reserved + most > left)
        await new Promise<void>((resolve) => waiting.push(resolve));
      const mine = Math.max(0, left - reserved);
      reserved += most;
      try {
        const done = await work(mine);
        left -= done.firstContacts;
        return done;
      } finally {
        reserved -= most;
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
      }
    },
  };
}
