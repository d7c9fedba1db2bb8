import { actCommand } from '../act-command.ts';
import { reasonOf } from '../reason.ts';
import { homeArgument } from './home.ts';

export const homeBeginAnew = actCommand({
  ...homeArgument,
  name: 'home begin-anew',
  summary: 'forget all that is known of a home but the blocks',
  options: { reason: { help: 'why, up to 200 characters, for the log of the home', optional: true } },
  help: `What waits for it is undeliverable, contacts and threads end. The document that it serves next is taken, whoever signed it: where one
waits, hearth home accept-key is safer.`,
  operation: 'begin_home_anew',
  read: reasonOf,
  tell: ({ home }) => `${home} begins anew: its next document is that of a home never seen.`,
});
