import type { ReceivedEvent } from '@hearth/runtime';
import { derivedId } from '../../shared/domain/derived-id.ts';
import type { Context } from '../context.ts';
import { queueMails } from '../db/mails.ts';
import { sendsOf } from '../domain/sends.ts';

/** The purpose of a mail, as the operator reads it. */
const abouts = { ask_mail: 'approval', ask_reminder: 'approval', invite_mail: 'invite' } as const;

/** Queues the mails of asks and invites, each once however often its event comes. */
export const onSend =
  ({ clock, database, outbound }: Pick<Context, 'clock' | 'database' | 'outbound'>) =>
  async (events: readonly ReceivedEvent[]): Promise<void> => {
    const mails = events
      .flatMap(({ event }) => sendsOf(event))
      .map(({ event, at, kind, id, part }) => ({
        id: derivedId(event, `${kind} ${part}`),
        source: kind,
        kind: abouts[kind],
        ref: id,
        part,
        at,
      }));
    if (mails.length === 0) return;
    const queued = await database.statement((tx) => queueMails(tx, mails, new Date(clock.now())));
    if (queued.length > 0) outbound.poke(queued);
  };
