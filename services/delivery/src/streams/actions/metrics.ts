import { eventCounter } from '@hearth/telemetry';

export const recordWakeUp = eventCounter(
  'hearth.wake_up.recorded',
  { description: 'Wake-ups that were recorded for AIs.', unit: '{wake_up}' },
  ({ name }: { name: string }) => ({ 'hearth.event': name }),
);
