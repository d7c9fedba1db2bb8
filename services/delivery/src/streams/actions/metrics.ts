import { counter } from '@hearth/telemetry';

const recorded = counter('hearth.wake_up.recorded', {
  description: 'Wake-ups that were recorded for AIs.',
  unit: '{wake_up}',
});

/** An AI is woken, or will be when it asks. */
export function recordWakeUp({ name }: { name: string }): void {
  recorded(1, { 'hearth.event': name });
}
