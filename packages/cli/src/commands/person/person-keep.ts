import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const personKeep = actCommand({
  name: 'person keep',
  summary: 'take the deletion of an account back before it goes; the person is told',
  thing: 'person',
  id: 'per_... or @handle, as hearth person list --deleting true shows it',
  options: { reason: reasonFor('the person reads it') },
  operation: 'keep_person',
  tell: ({ name }) => `The account of ${plain(name)} stays.`,
});
