import type { DisabledWhy } from '../../shared/db/app-streams.ts';

const reasons: Readonly<Record<DisabledWhy, string>> = {
  gone: 'it answered 410, which says that it is gone',
  failing: 'nothing but failures came from there for five days',
};

/** The e-mail to the contact of an app whose webhook address was disabled. */
export function disabledMail(
  siteUrl: string,
  name: string,
  why: DisabledWhy,
): { subject: string; text: string } {
  return {
    subject: `The webhook address of ${name} takes no events`,
    text: [
      `${siteUrl} sends no more events to the webhook address of ${name}:`,
      `${reasons[why]}.`,
      '',
      "Once it works again, POST /v0/app/webhook/test with the app's key,",
      'or give it another address. What was missed is kept for 30 days:',
      'GET /v0/app/events has it, and POST /v0/app/deliveries/replay sends it once more.',
    ].join('\n'),
  };
}
