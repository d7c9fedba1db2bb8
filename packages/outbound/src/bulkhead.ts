/** Healthy addresses, and those that failed last. */
export type Compartment = 'healthy' | 'failing';

/** Room for one attempt, until it ends. */
export interface Permit {
  release(): void;
}

/**
 * Bounds the attempts in flight so that addresses that do not answer take no room from those that do. Failing addresses have
 * permits of their own. A slow attempt at a healthy address gives its permit back and goes on outside of its compartment.
 */
export interface Bulkhead {
  /** Null when the compartment is full: `whenFree` is called once, when it may have room again. */
  acquire(compartment: Compartment, whenFree: () => void): Permit | null;
  /** How many more could begin now, less the workers that wait for room. */
  room(): Record<Compartment, number>;
}

export interface BulkheadOptions {
  /** The most attempts at once at healthy addresses, at failing ones, and of those that take long. */
  healthy: number;
  failing: number;
  slow: number;
  /** From when on an attempt takes long, in milliseconds. */
  slowAfterMs: number;
}

/** @param onRoom is called whenever there is room for which no worker waits */
export function createBulkhead({ slowAfterMs, ...bounds }: BulkheadOptions, onRoom: () => void): Bulkhead {
  const inFlight = { healthy: 0, failing: 0, slow: 0 };
  const waiting: Record<Compartment, (() => void)[]> = { healthy: [], failing: [] };

  function free(compartment: Compartment | 'slow'): void {
    inFlight[compartment] -= 1;
    if (compartment === 'slow') return;
    // A worker that waited may need no room any more.
    while (inFlight[compartment] < bounds[compartment] && waiting[compartment].length > 0)
      waiting[compartment].shift()!();
    if (inFlight[compartment] < bounds[compartment]) onRoom();
  }

  return {
    acquire(compartment, whenFree) {
      if (inFlight[compartment] >= bounds[compartment]) {
        waiting[compartment].push(whenFree);
        return null;
      }
      inFlight[compartment] += 1;
      let at: Compartment | 'slow' = compartment;
      const step = () => {
        if (inFlight.slow >= bounds.slow) {
          timer = setTimeout(step, slowAfterMs);
          return;
        }
        inFlight.slow += 1;
        at = 'slow';
        free(compartment);
      };
      let timer = compartment === 'healthy' ? setTimeout(step, slowAfterMs) : undefined;
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
  };
}
