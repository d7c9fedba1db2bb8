import type { AnswerOf } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { factsTable, table } from '../../table.ts';
import { shortMoment } from './delivery.ts';

export const deliveryShow: Command = {
  name: 'delivery show',
  summary: 'Show a delivery and its attempts',
  usage: '<to> <event>',
  help: `<to>                     the destination, as shown in lists: id of an app, a subscription, a person or an AI, or mail
<event>                  id of the event

Single attempts are recorded for app events; for all other deliveries, only their number and the last error.`,
  arguments: ['to', 'event'],
  options: {},
  async run({ args, home, report }) {
    const [to = '', event = ''] = args;
    const delivery = await home.call('show_delivery', { destination: to, id: event });
    report(delivery, () => tell(delivery));
  },
};

const kinds: Readonly<Record<string, string>> = {
  app: 'the app',
  subscription: 'the subscription',
  mail: 'an email to',
  callback: 'the asker',
};

function tell(delivery: AnswerOf<'show_delivery'>): string {
  const { id, destination, kind, type, at, status, attempts = [] } = delivery;
  const facts = [
    ['event', id],
    ['type', type],
    ['to', destination === 'mail' ? 'an email' : `${kinds[kind] ?? kind} ${destination}`],
    ['happened', at],
    ['status', status],
    ['attempts', String(delivery.attempt_count)],
    ['last error', delivery.last_error ?? '-'],
    ['next try', delivery.next_attempt_at ?? '-'],
  ] as const;
  const lines = factsTable(facts);
  if (attempts.length === 0) return lines;
  const rows = attempts.map((attempt) => [
    shortMoment(attempt.at),
    attempt.status === undefined ? '-' : String(attempt.status),
    `${attempt.ms} ms`,
    attempt.error ?? 'delivered',
  ]);
  return `${lines}\n\n${table(['ATTEMPT', 'HTTP', 'TOOK', 'RESULT'], rows)}`;
}
