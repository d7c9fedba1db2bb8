import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { minuteOf } from '../list-command.ts';
import { reasonFor } from '../reason.ts';

export const personDelete = actCommand({
  name: 'person delete',
  summary: 'Schedule the deletion of an account in seven days, and notify the person',
  thing: 'person',
  id: 'id (per_...) or @handle, as shown by hearth person list',
  options: { reason: reasonFor('shown to the person') },
  help: `Until then, the deletion can be cancelled with hearth person keep, or by the person (unless suspended), their guardian or the app that
manages their account.`,
  operation: 'delete_person',
  tell: ({ name, deletes_at }) => `The account of ${plain(name)} will be deleted at ${minuteOf(deletes_at)}.`,
});
