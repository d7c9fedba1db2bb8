import type { Command } from '../../command.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { tellSeal } from './key-list.ts';

export const keyReseal: Command = {
  name: 'key reseal',
  summary: 'Re-encrypt stored secrets with the new seal key',
  usage: '[--reason <text>]',
  help: `Options:
  ${reasonHelp}, for the audit log

First restart every process of the home with the new key in HEARTH_SEAL_KEY and the previous one in HEARTH_SEAL_KEY_OTHER (or in seal.key
and seal.key.other in the data folder). Each service then re-encrypts its secrets in the background; hearth key list shows the progress.`,
  options: reasonOption,
  async run(context) {
    const { home, report } = context;
    const state = await home.call('reseal_values', reasonOf(context));
    report(state, () => tellSeal(state));
  },
};
