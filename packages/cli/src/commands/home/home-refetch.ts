import type { Command } from '../../command.ts';
import { homeArgument, tellHome } from './home.ts';

export const homeRefetch: Command = {
  name: 'home refetch',
  summary: 'fetch the document of a home now',
  usage: '<home>',
  help: homeArgument,
  arguments: ['home'],
  options: {},
  async run({ args, home, report }) {
    const shown = await home.call('refetch_home', { home: args[0]! });
    report(shown, () => tellHome(shown));
  },
};
