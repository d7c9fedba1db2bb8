import type { Bus } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import type { Logger } from '@hearth/telemetry';

/** A step that is smaller comes of a clock that is corrected in passing. */
const leastStepMs = 2 * second;

export interface ClockWatch {
  /** Compares both clocks with how they stood at the last look. */
  look(): Promise<void>;
  /**
   * A bus that tells of a reconnection also when the clock was set back: facts that are kept until a moment would be kept for
   * longer by as much.
   */
  over(bus: Bus): Bus;
}

/**
 * Says in the log when the clock of the machine is set, and what follows from it.
 *
 * @param clock of the machine
 * @param steadyMs milliseconds of a clock that is never set
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
