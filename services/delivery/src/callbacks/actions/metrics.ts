import { eventCounter } from '@hearth/telemetry';

export const recordCallback = eventCounter(
  'hearth.approval.callbacks',
  { description: 'Attempts to tell an address that an approval settled.', unit: '{attempt}' },
  ({ outcome }: { outcome: 'delivered' | 'failed' | 'given_up' }) => ({ 'hearth.outcome': outcome }),
);
