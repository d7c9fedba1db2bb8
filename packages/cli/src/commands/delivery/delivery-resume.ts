import type { Destination } from '@hearth/sdk';
import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const deliveryResume = actCommand({
  name: 'delivery resume',
  summary: 'use an address again that was suspended or disabled, or try now what waits',
  thing: 'address',
  id: `the id of the app or the subscription, mail, or whose callbacks wait: as hearth delivery
                         destinations shows it`,
  options: { reason: reasonFor('its owner reads it in their activity') },
  help: `Sends that were given up meanwhile stay so: send the events of an app once more with hearth delivery replay. An AI is told at
once that it missed something. An address that is in use stays as it is. E-mails and callbacks that wait are tried now.`,
  operation: 'resume_destination',
  tell,
});

function tell({ id, kind, origin, owner }: Destination): string {
  if (kind === 'mail') return 'The e-mails that wait for the mail server are on their way.';
  if (kind === 'callback') return `The callbacks that wait for ${plain(owner)} are on their way.`;
  const address = `The address of ${plain(owner)}${origin === undefined ? '' : ` at ${plain(origin)}`} is in use.`;
  if (kind === 'subscription') return address;
  return `${address} To send once more what was given up:

  hearth delivery replay --app ${id} --since 6d --status failed --reason <words>`;
}
