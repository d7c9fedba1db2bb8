import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const aiRestore = actCommand({
  name: 'ai restore',
  summary: 'end the suspension of an AI before its time; its owner is told',
  thing: 'ai',
  id: 'its id or address, as hearth ai list --state suspended shows it',
  options: { reason: reasonFor('its owner reads it') },
  operation: 'restore_ai',
  tell: ({ address, id, state }) => `${plain(address ?? id)} is ${state}.`,
});
