import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const appRestore = actCommand({
  name: 'app restore',
  summary: 'end the suspension of an app before its time',
  thing: 'app',
  id: 'app_..., as hearth app list shows it',
  options: { reason: reasonFor('the audit log keeps it') },
  operation: 'restore_app',
  tell: ({ name }) => `${plain(name)} is active.`,
});
