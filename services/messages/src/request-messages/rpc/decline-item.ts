import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { politeNo } from '../../shared/domain/polite-no.ts';
import { settleThread } from '../actions/settle-thread.ts';
import type { Context } from '../context.ts';
import { endWait, type RequestRow } from '../db/request-messages.ts';

/** The rest of its thread that waits goes with it. The polite no comes from the recipient and makes no contacts. */
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

/** A person under 18 does not see the no that their guardian says in their name. */
function isGuardians({ holder, box }: RequestRow): boolean {
  return holder !== null && box === Box.REQUESTS;
}
