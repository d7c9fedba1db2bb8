/** Time as a dependency: code that reads the time or waits takes a Clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock for tests that moves only when told. */
export interface ManualClock extends Clock {
  /** Moves time by that many milliseconds (backwards if negative). */
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

/** The clock's present moment as a Date. */
export function nowDate(clock: Clock): Date {
  return new Date(clock.now());
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The end of the present quarter hour: in every time zone, days begin at the end of one. */
export function nextQuarterHour(at: number): number {
  const quarter = 15 * minute;
  return (Math.floor(at / quarter) + 1) * quarter;
}
