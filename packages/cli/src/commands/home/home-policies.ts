import type { OtherHome } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { homeArgument } from './home.ts';

/** A command that says whether a home is talked with. */
const policyCommand = (
  verb: string,
  mode: OtherHome['policy'],
  { summary, more, done }: { summary: string; more: string; done: (home: string, talks: boolean) => string },
): Command => ({
  name: `home ${verb}`,
  summary,
  usage: `<home>${verb === 'allow' ? ' [--unset]' : ''} [--reason <words>]`,
  help: `<home>                   ${homeArgument.id}; it need not be known yet

Options:
${verb === 'allow' ? '  --unset                take back what was said of it: HEARTH_FEDERATION decides\n' : ''}  ${reasonHelp}, for the log of the home

${more}`,
  arguments: ['home'],
  options: { ...(verb === 'allow' && { unset: { type: 'boolean' as const } }), ...reasonOption },
  async run(context) {
    const { args, values, home, report } = context;
    const said = values['unset'] === true ? 'unset' : mode;
    const input = { home: args[0]!, mode: said, ...reasonOf(context) };
    const shown = await home.call('set_home_policy', input);
    report(shown, () => done(shown.home, shown.talks));
  },
});

const talked = (home: string, talks: boolean) =>
  talks ? `${home} is talked with.` : `${home} is not talked with: HEARTH_FEDERATION decides, or is off.`;

export const homeAllow = policyCommand('allow', 'allowed', {
  summary: 'talk with a home, whatever HEARTH_FEDERATION says of others',
  more: 'With HEARTH_FEDERATION=allowlist these are the homes that are talked with; with off none is.',
  done: talked,
});

export const homeLimit = policyCommand('limit', 'limited', {
  summary: 'talk with a home as with strangers alone',
  more: 'People and AIs there count as strangers, whatever they sent before; the rules for first contact hold for each of them.',
  done: (home) => `People and AIs at ${home} count as strangers.`,
});

export const homeBlock = policyCommand('block', 'denied', {
  summary: 'neither send to a home nor take anything from it',
  more: 'Its requests are answered with 403, and its document is not fetched. Take it back with hearth home allow.',
  done: (home) => `${home} is blocked.`,
});
