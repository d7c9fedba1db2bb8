/** Healthy addresses, and those that failed last. */
export type Compartment = 'healthy' | 'failing';

/** Room for one attempt, until it ends. */
export interface Permit {
  release(): void;
}

/**
 * Bounds the attempts in flight so that addresses that do not answer take no room from those that do. Failing addresses have
 * permits of their own. A slow attempt at a healthy address gives its permit back and goes on outside of its compartment.
 * Attempts at failing addresses begin one after the other: else those that time out in the same moment would begin again in the
 * same moment, for ever, and all that they read and write would come at once.
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
  /** The time between the beginnings of two attempts at failing addresses, in milliseconds. */
  failingEveryMs: number;
}

/** A timer that is late makes up for no more than that, in milliseconds. */
const mostLateMs = 20;

/** @param onRoom is called whenever there is room for which no worker waits */
export function createBulkhead(
  { slowAfterMs, failingEveryMs, ...bounds }: BulkheadOptions,
  onRoom: () => void,
): Bulkhead {
  const inFlight = { healthy: 0, failing: 0, slow: 0 };
  const waiting: Record<Compartment, (() => void)[]> = { healthy: [], failing: [] };

  let nextFailingAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const hasRoom = (compartment: Compartment) => inFlight[compartment] < bounds[compartment];
  const mayBegin = (compartment: Compartment) =>
    hasRoom(compartment) && (compartment === 'healthy' || nextFailingAt <= performance.now());

  function wake(compartment: Compartment): void {
    // A worker that waited may need no room any more.
    while (mayBegin(compartment) && waiting[compartment].length > 0) waiting[compartment].shift()!();
    if (!hasRoom(compartment)) return;
    if (waiting[compartment].length === 0) onRoom();
    else wakeLater();
  }

  function wakeLater(): void {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      wake('failing');
    }, nextFailingAt - performance.now());
  }

  function free(compartment: Compartment | 'slow'): void {
    inFlight[compartment] -= 1;
    if (compartment !== 'slow') wake(compartment);
  }

  return {
    acquire(compartment, whenFree) {
      if (!mayBegin(compartment)) {
        waiting[compartment].push(whenFree);
        if (hasRoom(compartment)) wakeLater();
        return null;
      }
      inFlight[compartment] += 1;
      if (compartment === 'failing')
        nextFailingAt = Math.max(nextFailingAt, performance.now() - mostLateMs) + failingEveryMs;
      let at: Compartment | 'slow' = compartment;
      const step = () => {
        if (inFlight.slow >= bounds.slow) {
          slowTimer = setTimeout(step, slowAfterMs);
          return;
        }
        inFlight.slow += 1;
        at = 'slow';
        free(compartment);
      };
      let slowTimer = compartment === 'healthy' ? setTimeout(step, slowAfterMs) : undefined;
      return {
        release() {
          clearTimeout(slowTimer);
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
