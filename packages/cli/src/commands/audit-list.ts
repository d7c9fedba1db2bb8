import { listCommand, minuteOf } from './list-command.ts';

export const auditList = listCommand({
  name: 'audit list',
  summary: 'List operator actions and key changes, newest first',
  operation: 'list_audit',
  list: 'audit',
  filters: {
    action: { help: 'filter by action, e.g. ai.suspended, report.resolved or key.active' },
    about: { help: 'filter by target: an id, or the kid of a key' },
    since: {
      help: 'only entries since a time, e.g. 2026-03-01T12:00:00Z, or a duration ago, e.g. 6h or 2d',
      moment: true,
    },
  },
  help: 'Entries are kept for 400 days (limit audit_days). They contain no secrets and no text by others.',
  none: 'No matching entries.',
  columns: ['AT', 'ACTION', 'BY', 'TARGET', 'SUMMARY', 'REASON'],
  row: ({ at, action, by, about, summary, reason }) => [
    minuteOf(at),
    action,
    by,
    about ?? '-',
    summary,
    reason ?? '-',
  ],
});
