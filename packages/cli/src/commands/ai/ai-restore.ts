import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import type { Ai } from './ai-list.ts';

export const aiRestore = actCommand<Ai>({
  name: 'ai restore',
  summary: 'end the suspension of an AI before its time; its owner is told',
  thing: 'ai',
  id: 'its id or address, as npx hearth ai list --state suspended shows it',
  options: { reason: { help: 'why, up to 200 characters: its owner reads it' } },
  path: (id) => `/v0/admin/ais/${id}/restore`,
  tell: ({ address, id, state }) => `${plain(address ?? id)} is ${state}.`,
});
