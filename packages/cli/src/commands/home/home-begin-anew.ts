import { actCommand } from '../act-command.ts';
import { reasonOf } from '../reason.ts';
import { homeArgument } from './home.ts';

export const homeBeginAnew = actCommand({
  ...homeArgument,
  name: 'home begin-anew',
  summary: 'Forget everything about a home except blocks',
  options: { reason: { help: 'why, up to 200 characters, for the audit log', optional: true } },
  help: `Pending items to it become undeliverable, and its contacts and threads end. Its next document is accepted whatever key signed it. If a
document is pending, hearth home accept-key is safer.`,
  operation: 'begin_home_anew',
  read: reasonOf,
  tell: ({ home }) => `Forgot ${home}. It is treated as a new home.`,
});
