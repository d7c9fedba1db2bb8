import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';

export const reportResolve = actCommand({
  name: 'report resolve',
  summary: 'close a report, with a line in the audit log',
  thing: 'report',
  id: 'the id, as hearth report list shows it',
  options: { resolution: { help: 'what was done, up to 280 characters: for operators alone' } },
  operation: 'resolve_report',
  tell: ({ about }) => `The report about ${plain(about)} is closed.`,
});
