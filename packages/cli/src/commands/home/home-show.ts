import type { Command } from '../../command.ts';
import { homeArgument, homePath, type OtherHome, tellHome } from './home.ts';

export const homeShow: Command = {
  name: 'home show',
  summary: 'show another home: its document, its keys and what waits',
  usage: '<home>',
  help: homeArgument,
  arguments: ['home'],
  options: {},
  async run({ args, home, report }) {
    const shown = await home.call<OtherHome>('GET', homePath(args[0]!));
    report(shown, () => tellHome(shown));
  },
};
