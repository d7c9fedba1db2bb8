import { counter } from '@hearth/telemetry';

const callbacks = counter('hearth.approval.callbacks', {
  description: 'Attempts to tell an address that an approval settled.',
  unit: '{attempt}',
});

/** A callback was tried. */
export function recordCallback({ outcome }: { outcome: 'delivered' | 'failed' | 'given_up' }): void {
  callbacks(1, { 'hearth.outcome': outcome });
}
