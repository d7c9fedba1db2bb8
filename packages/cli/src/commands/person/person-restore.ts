import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const personRestore = actCommand({
  name: 'person restore',
  summary: 'end the suspension of a person before its time; they are told',
  thing: 'person',
  id: 'per_... or @handle, as hearth person list --suspended true shows it',
  options: { reason: reasonFor('the person reads it') },
  operation: 'restore_person',
  tell: ({ name }) => `${plain(name)} can act again.`,
});
