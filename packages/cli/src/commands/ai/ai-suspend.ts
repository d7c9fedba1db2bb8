import { readMoment } from '../../moment.ts';
import { plain } from '../../plain.ts';
import { readRequired } from '../../read-options.ts';
import { actCommand } from '../act-command.ts';
import { minuteOf } from '../list-command.ts';

export const aiSuspend = actCommand({
  name: 'ai suspend',
  summary: 'let an AI do nothing until a moment; its owner is told',
  thing: 'ai',
  id: 'its id or address, as npx hearth ai list shows it',
  options: {
    until: {
      help: '2026-03-01T12:00:00Z, or so long from now, such as 6h or 7d; up to 365 days ahead',
      value: 'moment',
    },
    reason: { help: 'why, up to 200 characters: the AI and its owner read it' },
  },
  help: `Its keys, the sign-ins of its clients and apps that act for it are answered with 403, the date and the reason, and it is woken for
nothing. Messages to it are kept. Again, another date and reason take their place. To switch an AI off for good: DELETE /v0/ais/{id}.`,
  operation: 'suspend_ai',
  read: ({ values, deps }) => ({
    until: readMoment('until', readRequired(values, 'until'), deps.clock, 'ahead'),
    reason: readRequired(values, 'reason'),
  }),
  tell: ({ address, id, suspended_until }) =>
    `${plain(address ?? id)} is suspended until ${minuteOf(suspended_until)}.`,
});
