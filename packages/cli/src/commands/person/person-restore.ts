import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const personRestore = actCommand({
  name: 'person restore',
  summary: 'End the suspension of a person early, and notify them',
  thing: 'person',
  id: 'id (per_...) or @handle, as shown by hearth person list --suspended true',
  options: { reason: reasonFor('shown to the person') },
  operation: 'restore_person',
  tell: ({ name }) => `${plain(name)} is active.`,
});
