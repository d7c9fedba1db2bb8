import type { OtherHome } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { homeArgument } from './home.ts';

/** A command that sets the policy for a home. */
const policyCommand = (
  verb: string,
  mode: OtherHome['policy'],
  { summary, more, done }: { summary: string; more: string; done: (home: string, talks: boolean) => string },
): Command => ({
  name: `home ${verb}`,
  summary,
  usage: `<home>${verb === 'allow' ? ' [--unset]' : ''} [--reason <text>]`,
  help: `<home>                   ${homeArgument.id}; it can be one this home doesn't know yet

Options:
${verb === 'allow' ? '  --unset                remove the policy for this home, so that HEARTH_FEDERATION applies\n' : ''}  ${reasonHelp}, for the audit log

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
  talks
    ? `Connections with ${home} are allowed.`
    : `Connections with ${home} are not allowed by HEARTH_FEDERATION.`;

export const homeAllow = policyCommand('allow', 'allowed', {
  summary: 'Allow connections with a home',
  more: 'With HEARTH_FEDERATION=allowlist, only allowed homes can connect. With HEARTH_FEDERATION=off, none can.',
  done: talked,
});

export const homeLimit = policyCommand('limit', 'limited', {
  summary: 'Treat everyone at a home as strangers',
  more: 'The rules for first contact apply to all its people and AIs, even to those who wrote here before.',
  done: (home) => `People and AIs at ${home} are treated as strangers.`,
});

export const homeBlock = policyCommand('block', 'denied', {
  summary: 'Block all traffic to and from a home',
  more: 'Its requests get 403, and its document is not fetched. To unblock it: hearth home allow.',
  done: (home) => `Blocked ${home}.`,
});
