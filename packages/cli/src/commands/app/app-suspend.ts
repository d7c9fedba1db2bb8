import { plain } from '../../plain.ts';
import { minuteOf } from '../list-command.ts';
import { suspendCommand } from '../suspend-command.ts';

export const appSuspend = suspendCommand(
  {
    name: 'app suspend',
    summary: 'Suspend an app until a given time',
    thing: 'app',
    id: 'app id (app_...), as shown by hearth app list',
    help: `Requests with its key get 403 with the end date and the reason, including requests for people. People can still sign in without the app.
Its webhook receives nothing; events are kept, and hearth delivery replay --app <id> sends them again. Run the command again to change
the date and the reason.`,
    operation: 'suspend_app',
    tell: ({ name, suspended_until }) => `${plain(name)} is suspended until ${minuteOf(suspended_until)}.`,
  },
  'shown to the app',
);
