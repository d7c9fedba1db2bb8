import type { Command } from '../../command.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { homeArgument } from './home.ts';

export const homeAcceptKey: Command = {
  name: 'home accept-key',
  summary: 'take the document of a home that none of its known keys signed',
  usage: '<home> <kid> [--reason <words>]',
  help: `<home>                   ${homeArgument.id}
<kid>                    a key of the document that waits, as the people of that home told it to you by another way

Options:
  ${reasonHelp}, for the log of the home

All that was known of the home before is void: what waits for it is undeliverable, contacts and threads end; blocks stay. A document
that waits for seven days is taken without a word.`,
  arguments: ['home', 'kid'],
  options: reasonOption,
  async run(context) {
    const { args, home, report } = context;
    const input = { home: args[0]!, kid: args[1]!, ...reasonOf(context) };
    const shown = await home.call('accept_home_key', input);
    report(shown, () => `${shown.home} begins anew, with the key ${args[1]}.`);
  },
};
