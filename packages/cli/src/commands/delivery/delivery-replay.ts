import type { InputOf } from '@hearth/sdk';
import type { Command, CommandContext, Values } from '../../command.ts';
import { UsageError } from '../../failure.ts';
import { readMoment } from '../../moment.ts';
import { readRequired, readWord } from '../../read-options.ts';
import { reasonHelp, reasonOption } from '../reason.ts';
import { deliveryStatuses } from './delivery.ts';

export const deliveryReplay: Command = {
  name: 'delivery replay',
  summary: 'send events of an app once more, or e-mails and callbacks that failed',
  usage: `(--app <id> | --to <id>) (--event <id> | --since <when>) [--until <when>] [--type <type>]... [--status <status>] \\
         --reason <words>`,
  help: `Options:
  --app <id>             the app
  --to <id>              mail, or the person or AI whose callbacks failed
  --event <id>           this event alone
  --since <when>         what happened since: 2026-03-01T12:00:00Z, or so long ago, such as 6h or 2d
  --until <when>         and before; until now when not given
  --type <type>          only these, such as member.joined; those that the app asked for when not given. May be repeated
  --status <status>      only these: ${deliveryStatuses.join(', ')}. Give failed for the dead letters alone
  ${reasonHelp}: the app reads it in its activity

E-mails and callbacks go once more where they failed, without --type and --status; a sign-in code that has ended does not.

The events keep their ids and are signed afresh: an app that has one already knows it by its id. At most as many as the limit
replayed_deliveries says, 10,000, go in one command. An address that is disabled is resumed first: hearth delivery resume.`,
  options: {
    app: { type: 'string' },
    to: { type: 'string' },
    event: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    type: { type: 'string', multiple: true },
    status: { type: 'string' },
    ...reasonOption,
  },
  async run(context) {
    const { values, home, report } = context;
    const answer = await home.call('replay_for_app', inputOf(context));
    report(answer, () => tell(answer.replayed, values));
  },
};

function tell(replayed: number, { app, to }: Values): string {
  if (replayed === 0) return 'There is nothing of that to send once more.';
  const [one, many] = app === undefined ? ['send', 'sends'] : ['event', 'events'];
  return `${replayed} ${replayed === 1 ? `${one} is` : `${many} are`} on the way once more. See how they do with:

  hearth delivery list ${app === undefined ? `--to ${to}` : `--app ${app}`} --status waiting`;
}

/** @throws UsageError */
function inputOf({ values, deps }: CommandContext): InputOf<'replay_for_app'> {
  if (values.app !== undefined && values.to !== undefined)
    throw new UsageError('give --app or --to, not both');
  const whose =
    values.to === undefined
      ? { app: readRequired(values, 'app') }
      : { destination: readRequired(values, 'to') };
  const { event, since, until, type } = values;
  const status = readWord(values, 'status', deliveryStatuses);
  const span = { since, until, type, status };
  if (event !== undefined) {
    const extra = Object.entries(span).find(([, value]) => value !== undefined);
    if (extra !== undefined) throw new UsageError(`--${extra[0]} goes without --event`);
    return { ...whose, event: event as string, reason: readRequired(values, 'reason') };
  }
  const moment = (name: 'since' | 'until') => readMoment(name, readRequired(values, name), deps.clock);
  if (since === undefined) throw new UsageError('--event or --since is missing');
  return {
    ...whose,
    since: moment('since'),
    ...(until !== undefined && { until: moment('until') }),
    ...(type !== undefined && { types: type as string[] }),
    ...(status !== undefined && { status }),
    reason: readRequired(values, 'reason'),
  };
}
