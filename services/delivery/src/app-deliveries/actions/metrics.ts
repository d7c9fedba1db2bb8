import { counter } from '@hearth/telemetry';

const stored = counter('hearth.app_event.stored', {
  description: 'Events that were made for apps.',
  unit: '{event}',
});
const disabled = counter('hearth.app_event.disabled', {
  description: 'Webhook addresses of apps that were disabled.',
  unit: '{address}',
});
const guesses = counter('hearth.app_event.guesses', {
  description: 'Apps that were asked to guess an answer.',
  unit: '{question}',
});

/** An event was made for an app; `sent` says whether it goes to an address. */
export function recordAppEvent({ type, sent }: { type: string; sent: boolean }): void {
  stored(1, { 'hearth.type': type, 'hearth.outcome': sent ? 'to_send' : 'not_sent' });
}

/** An address failed for too long, or said that it is gone. */
export function recordAppDisabled({ why }: { why: string }): void {
  disabled(1, { 'hearth.why': why });
}

/** An app answered with guesses, or not in time, or nothing that counts. */
export function recordGuess({ outcome }: { outcome: 'guessed' | 'nothing' | 'failed' }): void {
  guesses(1, { 'hearth.outcome': outcome });
}
