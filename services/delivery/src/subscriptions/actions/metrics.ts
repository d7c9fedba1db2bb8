import { eventCounter, histogram, requestBounds } from '@hearth/telemetry';

const lag = histogram('hearth.delivery.lag', {
  description: 'Time from what happened to the first attempt to tell an AI of it over its webhook.',
  unit: 's',
  bounds: [...requestBounds, 30, 60, 300, 3_600],
});

/** Records the time in ms from a wake-up to its first attempt. */
export function recordLag(ms: number): void {
  lag(Math.max(0, ms) / 1_000);
}

export const recordPoll = eventCounter(
  'hearth.wake_up.polled',
  { description: 'Polls for wake-ups.', unit: '{poll}' },
  ({ outcome }: { outcome: 'first' | 'nothing' | 'found' | 'truncated' }) => ({ 'hearth.outcome': outcome }),
);
