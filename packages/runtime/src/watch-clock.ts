import type { Bus } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import type { Logger } from '@hearth/telemetry';

/** Smaller steps come from routine clock corrections. */
const leastStepMs = 2 * second;

export interface ClockWatch {
  /** Compares both clocks with the last check. */
  look(): Promise<void>;
  /**
   * A bus that also reports a reconnection when the clock was set back: facts cached until a time would otherwise be
   * kept for longer by the same amount.
   */
  over(bus: Bus): Bus;
}

/**
 * Logs when the machine's clock is set, and the consequences.
 *
 * @param clock of the machine
 * @param steadyMs milliseconds of a monotonic clock
 */
export function createClockWatch(
  clock: Clock,
  log: Pick<Logger, 'warn'>,
  steadyMs = () => performance.now(),
): ClockWatch {
  const listeners: Parameters<Bus['onReconnect']>[0][] = [];
  const difference = () => clock.now() - steadyMs();
  let known = difference();
  return {
    async look() {
      const stepMs = difference() - known;
      known += stepMs;
      if (Math.abs(stepMs) < leastStepMs) return;
      const details = { seconds: Math.round(stepMs / second) };
      if (stepMs > 0)
        return log.warn(details, 'the clock of this machine was set forward, or the machine slept');
      log.warn(
        details,
        'the clock of this machine was set back: what was to happen later happens later by as much',
      );
      for (const listener of listeners) listener({ logLost: false });
    },
    over: (bus) => ({
      ...bus,
      onReconnect(listener) {
        listeners.push(listener);
        bus.onReconnect(listener);
      },
    }),
  };
}
