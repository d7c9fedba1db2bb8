import { eventCounter } from '@hearth/telemetry';

/** `sent`: the app has an address and subscribed to the type. */
export const recordAppEvent = eventCounter(
  'hearth.app_event.stored',
  { description: 'Events that were made for apps.', unit: '{event}' },
  ({ type, sent }: { type: string; sent: boolean }) => ({
    'hearth.type': type,
    'hearth.outcome': sent ? 'to_send' : 'not_sent',
  }),
);

/** An address failed for too long, or answered 410 Gone. */
export const recordAppDisabled = eventCounter(
  'hearth.app_event.disabled',
  { description: 'Webhook addresses of apps that were disabled.', unit: '{address}' },
  ({ why }: { why: string }) => ({ 'hearth.why': why }),
);

/** An app answered with guesses, with nothing that counts, or not in time. */
export const recordGuess = eventCounter(
  'hearth.app_event.guesses',
  { description: 'Apps that were asked to guess an answer.', unit: '{question}' },
  ({ outcome }: { outcome: 'guessed' | 'nothing' | 'failed' }) => ({ 'hearth.outcome': outcome }),
);
