import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const aiRestore = actCommand({
  name: 'ai restore',
  summary: 'End the suspension of an AI early, and notify its owner',
  thing: 'ai',
  id: 'id or address, as shown by hearth ai list --state suspended',
  options: { reason: reasonFor('shown to its owner') },
  operation: 'restore_ai',
  tell: ({ address, id, state }) => `${plain(address ?? id)} is ${state}.`,
});
