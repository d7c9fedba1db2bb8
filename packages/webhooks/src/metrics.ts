import { counter } from '@hearth/telemetry';

const tests = counter('hearth.app.webhook_tests', {
  description: 'Test events that were sent to webhook addresses of apps.',
  unit: '{event}',
});

/** Records the test of an app's webhook URL. */
export function recordWebhookTest({ passed }: { passed: boolean }): void {
  tests(1, { 'hearth.outcome': passed ? 'passed' : 'failed' });
}
