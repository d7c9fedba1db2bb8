import { counter, histogram, requestBounds } from '@hearth/telemetry';

const lag = histogram('hearth.delivery.lag', {
  description: 'Time from what happened to the first attempt to tell an AI of it over its webhook.',
  unit: 's',
  bounds: [...requestBounds, 30, 60, 300, 3_600],
});
const polled = counter('hearth.wake_up.polled', {
  description: 'Polls for wake-ups.',
  unit: '{poll}',
});

/** A wake-up goes out for the first time, so many milliseconds after it happened. */
export function recordLag(ms: number): void {
  lag(Math.max(0, ms) / 1_000);
}

/** An AI asked for its wake-ups. */
export function recordPoll({ outcome }: { outcome: 'first' | 'nothing' | 'found' | 'truncated' }): void {
  polled(1, { 'hearth.outcome': outcome });
}
