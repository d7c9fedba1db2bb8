import type { Command } from '../../command.ts';
import { homeArgument, tellHome } from './home.ts';

export const homeShow: Command = {
  name: 'home show',
  summary: 'show another home: its document, its keys and what waits',
  usage: '<home>',
  help: homeArgument,
  arguments: ['home'],
  options: {},
  async run({ args, home, report }) {
    const shown = await home.call('show_home', { home: args[0]! });
    report(shown, () => tellHome(shown));
  },
};
