import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { minuteOf } from '../list-command.ts';
import { reasonFor } from '../reason.ts';

export const personDelete = actCommand({
  name: 'person delete',
  summary: 'delete an account in seven days, as its person would; they are told',
  thing: 'person',
  id: 'per_... or @handle, as hearth person list shows it',
  options: { reason: reasonFor('the person reads it') },
  help: `Until then hearth person keep takes it back, and so does the person, unless suspended, their guardian or the app that holds
them.`,
  operation: 'delete_person',
  tell: ({ name, deletes_at }) => `The account of ${plain(name)} goes at ${minuteOf(deletes_at)}.`,
});
