import { plain } from '../../plain.ts';
import { minuteOf } from '../list-command.ts';
import { suspendCommand } from '../suspend-command.ts';

export const aiSuspend = suspendCommand(
  {
    name: 'ai suspend',
    summary: 'Suspend an AI until a given time, and notify its owner',
    thing: 'ai',
    id: 'id or address, as shown by hearth ai list',
    help: `Requests with its keys, from its clients and from apps that act for it get 403 with the end date and the reason, and it isn't woken.
Messages to it are kept. Run the command again to change the date and the reason. To remove an AI permanently: DELETE /v0/ais/{id}.`,
    operation: 'suspend_ai',
    tell: ({ address, id, suspended_until }) =>
      `${plain(address ?? id)} is suspended until ${minuteOf(suspended_until)}.`,
  },
  'shown to the AI and its owner',
);
