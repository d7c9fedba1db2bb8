import type { Command } from '../../command.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { homeArgument } from './home.ts';

export const homeAcceptKey: Command = {
  name: 'home accept-key',
  summary: 'Accept a document that no known key of the home signed',
  usage: '<home> <kid> [--reason <text>]',
  help: `<home>                   ${homeArgument.id}
<kid>                    a key of the pending document, confirmed by the people of that home over another channel

Options:
  ${reasonHelp}, for the audit log

The home is then treated as new: pending items to it become undeliverable, and its contacts and threads end; blocks stay. A pending document
is accepted automatically after seven days.`,
  arguments: ['home', 'kid'],
  options: reasonOption,
  async run(context) {
    const { args, home, report } = context;
    const input = { home: args[0]!, kid: args[1]!, ...reasonOf(context) };
    const shown = await home.call('accept_home_key', input);
    report(shown, () => `Accepted key ${args[1]}; ${shown.home} is treated as a new home.`);
  },
};
