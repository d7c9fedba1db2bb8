import { plain } from '../../plain.ts';
import { minuteOf } from '../list-command.ts';
import { suspendCommand } from '../suspend-command.ts';

export const aiSuspend = suspendCommand(
  {
    name: 'ai suspend',
    summary: 'let an AI do nothing until a moment; its owner is told',
    thing: 'ai',
    id: 'its id or address, as hearth ai list shows it',
    help: `Its keys, the sign-ins of its clients and apps that act for it are answered with 403, the date and the reason, and it is woken for
nothing. Messages to it are kept. Again, another date and reason take their place. To switch an AI off for good: DELETE /v0/ais/{id}.`,
    operation: 'suspend_ai',
    tell: ({ address, id, suspended_until }) =>
      `${plain(address ?? id)} is suspended until ${minuteOf(suspended_until)}.`,
  },
  'the AI and its owner read it',
);
