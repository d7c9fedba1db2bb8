import { plain } from '../../plain.ts';
import { actCommand } from '../act-command.ts';

export const reportResolve = actCommand({
  name: 'report resolve',
  summary: 'Resolve a report, with an entry in the audit log',
  thing: 'report',
  id: 'id, as shown by hearth report list',
  options: { resolution: { help: 'what you did, up to 280 characters; only operators see it' } },
  operation: 'resolve_report',
  tell: ({ about }) => `Resolved the report about ${plain(about)}.`,
});
