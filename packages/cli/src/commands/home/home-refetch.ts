import type { Command } from '../../command.ts';
import { homeArgument, homePath, type OtherHome, tellHome } from './home.ts';

export const homeRefetch: Command = {
  name: 'home refetch',
  summary: 'fetch the document of a home now',
  usage: '<home>',
  help: homeArgument,
  arguments: ['home'],
  options: {},
  async run({ args, home, report }) {
    const shown = await home.call<OtherHome>('POST', homePath(args[0]!, '/refetch'), {});
    report(shown, () => tellHome(shown));
  },
};
