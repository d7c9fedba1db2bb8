import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';
import { reasonFor } from '../reason.ts';

export const appRestore = actCommand({
  name: 'app restore',
  summary: 'End the suspension of an app early',
  thing: 'app',
  id: 'app id (app_...), as shown by hearth app list',
  options: { reason: reasonFor('recorded in the audit log') },
  operation: 'restore_app',
  tell: ({ name }) => `${plain(name)} is active.`,
});
