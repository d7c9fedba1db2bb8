import { plain } from '../../plain.ts';
import { minuteOf } from '../list-command.ts';
import { suspendCommand } from '../suspend-command.ts';

export const personSuspend = suspendCommand(
  {
    name: 'person suspend',
    summary: 'Suspend a person until a given time, and notify them',
    thing: 'person',
    id: 'id (per_...) or @handle, as shown by hearth person list',
    help: `Their requests, and those of their AIs and of apps that act for them, get 403 with the end date and the reason. Their AIs aren't woken.
Messages to them are kept. Run the command again to change the date and the reason.`,
    operation: 'suspend_person',
    tell: ({ name, suspended_until }) => `${plain(name)} is suspended until ${minuteOf(suspended_until)}.`,
  },
  'shown to the person',
);
