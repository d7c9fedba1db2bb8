import { plain } from '../../plain.ts';
import { minuteOf } from '../list-command.ts';
import { suspendCommand } from '../suspend-command.ts';

export const appSuspend = suspendCommand(
  {
    name: 'app suspend',
    summary: 'let an app do nothing until a moment',
    thing: 'app',
    id: 'app_..., as hearth app list shows it',
    help: `Its key is answered with 403, the date and the reason, also for the people whom it holds, who sign in without it. Its webhook is
sent nothing; events are kept, and can be sent again: hearth delivery replay --app <id>. Again, another date and reason take their place.`,
    operation: 'suspend_app',
    tell: ({ name, suspended_until }) => `${plain(name)} is suspended until ${minuteOf(suspended_until)}.`,
  },
  'the app reads it',
);
