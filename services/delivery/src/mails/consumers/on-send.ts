import { nowDate } from '@hearth/clock';
import { derivedId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { audiences } from '../../events/module.ts';
import { destinationKinds } from '../../shared/db/destinations.ts';
import type { Context } from '../context.ts';
import { queueMails } from '../db/mails.ts';

/** The purpose of a mail, as shown to the operator. */
const purposes = {
  ask_mail: 'approval',
  ask_reminder: 'approval',
  invite_mail: 'invite',
  account_mail: 'account',
  meeting_mail: 'meeting',
} as const;

/** Queues the mails of asks, invites, accounts and meetings; idempotent. */
export const onSend = ({ clock, database, outbound }: Pick<Context, 'clock' | 'database' | 'outbound'>) => ({
  durable: 'mails',
  types: audiences.mail.types,
  async handle(received: readonly ReceivedEvent[]) {
    const mails = received
      .flatMap(({ event }) => audiences.mail.drafts(event))
      .map(({ event, at, kind, id, part }) => ({
        id: derivedId(event, `${kind} ${part}`),
        source: kind,
        kind: purposes[kind],
        ref: id,
        part,
        at,
        content: null,
        endsAt: null,
      }));
    if (mails.length === 0) return;
    await outbound.queue(destinationKinds.mail, mails.length, (lease) =>
      database.statement((tx) => queueMails(tx, mails, nowDate(clock), lease)),
    );
  },
});
