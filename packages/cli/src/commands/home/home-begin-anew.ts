import type { Command } from '../../command.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { homeArgument } from './home.ts';

export const homeBeginAnew: Command = {
  name: 'home begin-anew',
  summary: 'forget all that is known of a home but the blocks',
  usage: '<home> [--reason <words>]',
  help: `${homeArgument}

Options:
  ${reasonHelp}, for the log of the home

What waits for it is undeliverable, contacts and threads end. The document that it serves next is taken, whoever signed it: where one
waits, npx hearth home accept-key is safer.`,
  arguments: ['home'],
  options: reasonOption,
  async run(context) {
    const { args, home, report } = context;
    const shown = await home.call('begin_home_anew', { home: args[0]!, ...reasonOf(context) });
    report(shown, () => `${shown.home} begins anew: its next document is that of a home never seen.`);
  },
};
