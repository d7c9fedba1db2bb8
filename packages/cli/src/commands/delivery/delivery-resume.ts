import type { Destination } from '@hearth/sdk';
import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const deliveryResume = actCommand({
  name: 'delivery resume',
  summary: 'Resume a suspended or disabled destination, or retry pending deliveries now',
  thing: 'destination',
  id: `id of an app or a subscription, mail, or the person or AI with pending callbacks, as shown by
                         hearth delivery destinations`,
  options: { reason: reasonFor("shown in its owner's activity") },
  help: `Deliveries that failed for good are not retried; resend app events with hearth delivery replay. An AI is told immediately that it missed
something. Active destinations stay unchanged. Pending emails and callbacks are retried now.`,
  operation: 'resume_destination',
  tell,
});

function tell({ id, kind, origin, owner }: Destination): string {
  if (kind === 'mail') return 'Retrying all pending emails.';
  if (kind === 'callback') return `Retrying all pending callbacks to ${plain(owner)}.`;
  const address = `The destination of ${plain(owner)}${origin === undefined ? '' : ` at ${plain(origin)}`} is active.`;
  if (kind === 'subscription') return address;
  return `${address} To resend failed events:

  hearth delivery replay --app ${id} --since 6d --status failed --reason <text>`;
}
