import type { Command } from '../../command.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { tellSeal } from './key-list.ts';

export const keyReseal: Command = {
  name: 'key reseal',
  summary: 'seal with the new seal key all that the one before sealed',
  usage: '[--reason <words>]',
  help: `Options:
  ${reasonHelp}, for the log of the home

Before: start every process of the home with the new HEARTH_SEAL_KEY, and the one before as HEARTH_SEAL_KEY_OTHER (files: seal.key and
seal.key.other in the data folder). Each service then seals its values anew, in the background; hearth key list shows what remains.`,
  options: reasonOption,
  async run(context) {
    const { home, report } = context;
    const state = await home.call('reseal_values', reasonOf(context));
    report(state, () => tellSeal(state));
  },
};
