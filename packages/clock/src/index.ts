/** Time as an argument: everything that needs to know or wait for it takes a Clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is told to move; for tests. */
export interface ManualClock extends Clock {
  /** Moves time by that many milliseconds (backwards when negative). */
  advance(milliseconds: number): void;
  set(time: Date | string): void;
}

export function manualClock(start: Date | string): ManualClock {
  let time = new Date(start).getTime();
  return {
    now: () => time,
    advance: (milliseconds) => {
      time += milliseconds;
    },
    set: (moment) => {
      time = new Date(moment).getTime();
    },
  };
}

/** `clock`'s present moment as a Date. */
export function nowDate(clock: Clock): Date {
  return new Date(clock.now());
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
