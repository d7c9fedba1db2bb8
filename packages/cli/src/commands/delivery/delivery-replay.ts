import type { InputOf } from '@hearth/sdk';
import type { Command, CommandContext, Values } from '../../command.ts';
import { UsageError } from '../../failure.ts';
import { readMoment } from '../../moment.ts';
import { readRequired, readWord } from '../../read-options.ts';
import { reasonHelp, reasonOption } from '../reason.ts';
import { deliveryStatuses } from './delivery.ts';

export const deliveryReplay: Command = {
  name: 'delivery replay',
  summary: 'Resend app events, or failed emails and callbacks',
  usage: `(--app <id> | --to <id>) (--event <id> | --since <time>) [--until <time>] [--type <type>]... [--status <status>] \\
         --reason <text>`,
  help: `Options:
  --app <id>             the app
  --to <id>              mail, or the person or AI whose callbacks failed
  --event <id>           only this event
  --since <time>         events since a time, e.g. 2026-03-01T12:00:00Z, or a duration ago, e.g. 6h or 2d
  --until <time>         events before a time (default: now)
  --type <type>          event type, e.g. member.joined (default: those the app asked for). Repeatable
  --status <status>      filter by status: ${deliveryStatuses.join(', ')}. Use failed for only the dead letters
  ${reasonHelp}; shown in the app's activity

Emails and callbacks are resent only if they failed, and take neither --type nor --status. Expired sign-in codes are not resent.

Events keep their ids and get new signatures, so an app can recognize events it already has. One command resends at most 10,000 events (limit
replayed_deliveries). Resume a disabled destination first: hearth delivery resume.`,
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
  if (replayed === 0) return 'Nothing to resend.';
  const [one, many] = app === undefined ? ['delivery', 'deliveries'] : ['event', 'events'];
  return `Resending ${replayed} ${replayed === 1 ? one : many}. To follow the progress:

  hearth delivery list ${app === undefined ? `--to ${to}` : `--app ${app}`} --status waiting`;
}

/** @throws UsageError */
function inputOf({ values, deps }: CommandContext): InputOf<'replay_for_app'> {
  if (values.app !== undefined && values.to !== undefined) throw new UsageError('use either --app or --to');
  const whose =
    values.to === undefined
      ? { app: readRequired(values, 'app') }
      : { destination: readRequired(values, 'to') };
  const { event, since, until, type } = values;
  const status = readWord(values, 'status', deliveryStatuses);
  const span = { since, until, type, status };
  if (event !== undefined) {
    const extra = Object.entries(span).find(([, value]) => value !== undefined);
    if (extra !== undefined) throw new UsageError(`--${extra[0]} cannot be used with --event`);
    return { ...whose, event: event as string, reason: readRequired(values, 'reason') };
  }
  const moment = (name: 'since' | 'until') => readMoment(name, readRequired(values, name), deps.clock);
  if (since === undefined) throw new UsageError('--event or --since is required');
  return {
    ...whose,
    since: moment('since'),
    ...(until !== undefined && { until: moment('until') }),
    ...(type !== undefined && { types: type as string[] }),
    ...(status !== undefined && { status }),
    reason: readRequired(values, 'reason'),
  };
}
