import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const personKeep = actCommand({
  name: 'person keep',
  summary: 'Cancel the scheduled deletion of an account, and notify the person',
  thing: 'person',
  id: 'id (per_...) or @handle, as shown by hearth person list --deleting true',
  options: { reason: reasonFor('shown to the person') },
  operation: 'keep_person',
  tell: ({ name }) => `The account of ${plain(name)} will be kept.`,
});
