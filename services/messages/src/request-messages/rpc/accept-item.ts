import { nowDate } from '@hearth/clock';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { type Call, callerKinds, personOf, type UnaryHandler } from '@hearth/rpc';
import { findReferences } from '../../shared/db/remote-ids.ts';
import { fromHome } from '../../shared/domain/message-sent.ts';
import { settleThread } from '../actions/settle-thread.ts';
import type { Context } from '../context.ts';
import { acceptThread, moveToInbox, type RequestRow } from '../db/request-messages.ts';
import { sentToRecipient } from '../domain/sent-to-recipient.ts';

/**
 * Accepts a message with the other waiting messages of its thread. Messages that a holder saw first are
 * announced to the recipient.
 */
export const acceptItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.acceptItem> =>
  async (request, call) => {
    const by = call.caller.kind === callerKinds.PERSON ? call.caller.id : '';
    const app = await appOf(context, call);
    const answer = { text: request.note || null, acquaints: true };
    await settleThread(context, request, answer, call, async (tx, row, rows) => {
      const now = nowDate(context.clock);
      await moveToInbox(tx, row.recipient, rows, now);
      await acceptThread(tx, row, now);
      const references = app === '' ? new Map<string, string>() : await findReferences(tx, idsOf(rows));
      const announced = rows.flatMap((message) => {
        const envelope = references.get(message.id);
        const isFor = envelope !== undefined && message.recipient === message.person;
        // A message in the recipient's own requests was announced before; but the app that holds them learns
        // of a remote message only now.
        if (message.holder === null && !isFor) return [];
        const more = isFor ? { fromHome: fromHome(message, { app, envelope }) } : {};
        return [sentToRecipient(message, { ...more, by, quiet: message.holder === null })];
      });
      tx.announce(...announced);
    });
    return { status: 'inbox' };
  };

const idsOf = (rows: readonly RequestRow[]) => rows.map(({ id }) => id);

/** uuid of the app that holds the accepting person; empty if none. */
async function appOf({ identity }: Context, call: Call): Promise<string> {
  const person = personOf(call.caller);
  if (person === null) return '';
  const { results } = await identity.findProfiles({ ids: [person] }, { call });
  return results[0]?.profile?.app ?? '';
}
