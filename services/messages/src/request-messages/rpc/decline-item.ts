import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { politeNo } from '../../shared/domain/polite-no.ts';
import { settleThread } from '../actions/settle-thread.ts';
import type { Context } from '../context.ts';
import { endWait, type RequestRow } from '../db/request-messages.ts';

/**
 * Declines a message with the other waiting messages of its thread. The polite refusal comes from the
 * recipient and makes no contacts.
 */
export const declineItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.declineItem> =>
  async (request, call) => {
    const text = request.silent ? null : request.note || politeNo;
    const answer = { text, acquaints: false, hidden: isGuardians };
    await settleThread(context, request, answer, call, (tx, row, rows) =>
      endWait(tx, row.recipient, rows, new Date(context.clock.now())),
    );
    return {};
  };

/** A person under 18 does not see a refusal that their guardian sends in their name. */
function isGuardians({ holder, box }: RequestRow): boolean {
  return holder !== null && box === Box.REQUESTS;
}
