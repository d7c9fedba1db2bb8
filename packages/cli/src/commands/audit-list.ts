import { listCommand, minuteOf } from './list-command.ts';

export const auditList = listCommand({
  name: 'audit list',
  summary: 'list what operators did, and what the home did with its keys, the newest first',
  operation: 'list_audit',
  list: 'audit',
  filters: {
    action: { help: 'only these, such as ai.suspended, report.resolved or key.active' },
    about: { help: 'only what was done to this: an id, or the kid of a key' },
    since: {
      help: 'only what happened since: 2026-03-01T12:00:00Z, or so long ago, such as 6h or 2d',
      moment: true,
    },
  },
  help: 'Lines are kept 400 days (limit audit_days). They hold no secrets, and nothing that others wrote.',
  none: 'There are no such lines.',
  columns: ['AT', 'ACTION', 'BY', 'ABOUT', 'WHAT', 'REASON'],
  row: ({ at, action, by, about, summary, reason }) => [
    minuteOf(at),
    action,
    by,
    about ?? '-',
    summary,
    reason ?? '-',
  ],
});
