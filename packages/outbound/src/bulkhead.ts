/** Destinations whose last attempt succeeded, or failed. */
export type Compartment = 'healthy' | 'failing';

/** A slot for one attempt, held until it ends. */
export interface Permit {
  release(): void;
}

/**
 * Bounds the attempts in flight, so that unresponsive destinations take no capacity from responsive ones.
 * Failing destinations have their own permits. A slow attempt at a healthy destination gives its permit back
 * and continues outside its compartment. Attempts at failing destinations are spaced out: otherwise those
 * that time out together would be retried together, for ever, in bursts of work.
 */
export interface Bulkhead {
  /** Returns null if the compartment is full; `whenFree` is then called once, when there may be room. */
  acquire(compartment: Compartment, whenFree: () => void): Permit | null;
  /** How many attempts could begin now, minus the workers already waiting. */
  room(): Record<Compartment, number>;
}

export interface BulkheadOptions {
  /** The most concurrent attempts at healthy destinations, at failing ones, and of slow ones. */
  healthy: number;
  failing: number;
  slow: number;
  /** Milliseconds after which an attempt counts as slow. */
  slowAfterMs: number;
  /** Milliseconds between the starts of two attempts at failing destinations. */
  failingEveryMs: number;
}

/** The most delay, in milliseconds, that a late timer makes up for. */
const mostLateMs = 20;

/** @param onRoom called when there is room that no worker waits for */
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
    // A waiting worker may no longer need its slot.
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
