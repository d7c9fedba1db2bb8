import { plain } from '../../plain.ts';
import { minuteOf } from '../list-command.ts';
import { suspendCommand } from '../suspend-command.ts';

export const personSuspend = suspendCommand(
  {
    name: 'person suspend',
    summary: 'let a person do nothing until a moment; they are told',
    thing: 'person',
    id: 'per_... or @handle, as hearth person list shows it',
    help: `Their sign-ins, their AIs and apps that act for them are answered with 403, the date and the reason, and their AIs are woken for
nothing. Messages to them are kept. Again, another date and reason take their place.`,
    operation: 'suspend_person',
    tell: ({ name, suspended_until }) => `${plain(name)} is suspended until ${minuteOf(suspended_until)}.`,
  },
  'the person reads it',
);
