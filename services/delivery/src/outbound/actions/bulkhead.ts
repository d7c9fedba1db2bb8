/** Healthy addresses, and those that failed last. */
export type Lane = 'healthy' | 'failing';

/** Room for one attempt, until it ends. */
export interface Place {
  release(): void;
}

/**
 * Room for attempts, so that addresses that do not answer take none from those that do: failing ones have places of
 * their own, and an attempt at a healthy one that takes long goes on beside the lane, which has its place back.
 */
export interface Lanes {
  /** Null when the lane is full: `whenFree` is called once, when it may have room again. */
  take(lane: Lane, whenFree: () => void): Place | null;
  /** How many more could begin now, those who wait for room not counted. */
  room(): Record<Lane, number>;
  inFlight(): Record<Lane | 'slow', number>;
}

export interface LanesOptions {
  /** The most attempts at once at healthy addresses, at failing ones, and of those that take long. */
  healthy: number;
  failing: number;
  slow: number;
  /** From when on an attempt takes long, in milliseconds. */
  slowAfterMs: number;
}

/** @param onRoom is called whenever there is room that nobody waits for */
export function createLanes({ slowAfterMs, ...bounds }: LanesOptions, onRoom: () => void): Lanes {
  const inFlight = { healthy: 0, failing: 0, slow: 0 };
  const waiting: Record<Lane, (() => void)[]> = { healthy: [], failing: [] };

  function free(lane: Lane | 'slow'): void {
    inFlight[lane] -= 1;
    if (lane === 'slow') return;
    // Who has waited may need none any more.
    while (inFlight[lane] < bounds[lane] && waiting[lane].length > 0) waiting[lane].shift()!();
    if (inFlight[lane] < bounds[lane]) onRoom();
  }

  return {
    take(lane, whenFree) {
      if (inFlight[lane] >= bounds[lane]) {
        waiting[lane].push(whenFree);
        return null;
      }
      inFlight[lane] += 1;
      let at: Lane | 'slow' = lane;
      const step = () => {
        if (inFlight.slow >= bounds.slow) {
          timer = setTimeout(step, slowAfterMs);
          return;
        }
        inFlight.slow += 1;
        at = 'slow';
        free(lane);
      };
      let timer = lane === 'healthy' ? setTimeout(step, slowAfterMs) : undefined;
      return {
        release() {
          clearTimeout(timer);
          free(at);
        },
      };
    },
    room: () => ({
      healthy: Math.max(0, bounds.healthy - inFlight.healthy - waiting.healthy.length),
      failing: Math.max(0, bounds.failing - inFlight.failing - waiting.failing.length),
    }),
    inFlight: () => ({ ...inFlight }),
  };
}
