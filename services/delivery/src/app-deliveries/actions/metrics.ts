import { eventCounter } from '@hearth/telemetry';

/** `sent` says whether it goes to an address. */
export const recordAppEvent = eventCounter(
  'hearth.app_event.stored',
  { description: 'Events that were made for apps.', unit: '{event}' },
  ({ type, sent }: { type: string; sent: boolean }) => ({
    'hearth.type': type,
    'hearth.outcome': sent ? 'to_send' : 'not_sent',
  }),
);

/** An address failed for too long, or said that it is gone. */
export const recordAppDisabled = eventCounter(
  'hearth.app_event.disabled',
  { description: 'Webhook addresses of apps that were disabled.', unit: '{address}' },
  ({ why }: { why: string }) => ({ 'hearth.why': why }),
);

/** An app answered with guesses, or not in time, or nothing that counts. */
export const recordGuess = eventCounter(
  'hearth.app_event.guesses',
  { description: 'Apps that were asked to guess an answer.', unit: '{question}' },
  ({ outcome }: { outcome: 'guessed' | 'nothing' | 'failed' }) => ({ 'hearth.outcome': outcome }),
);
