import { counter } from '@hearth/telemetry';

const recorded = counter('hearth.wake_up.recorded', {
  description: 'Wake-ups that were recorded for AIs.',
  unit: '{wake_up}',
});
const polled = counter('hearth.wake_up.polled', {
  description: 'Polls for wake-ups.',
  unit: '{poll}',
});

/** An AI is woken, or will be when it asks. */
export function recordWakeUp({ name }: { name: string }): void {
  recorded(1, { 'hearth.event': name });
}

/** An AI asked for its wake-ups. */
export function recordPoll({ outcome }: { outcome: 'first' | 'nothing' | 'found' | 'truncated' }): void {
  polled(1, { 'hearth.outcome': outcome });
}
