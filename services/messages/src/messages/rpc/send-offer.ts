import { type MessagesService, RequestKind } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { sendDraft } from '../actions/send-draft.ts';
import type { Context } from '../context.ts';

/** Sends an offer of times as a message, for decisions. */
export const sendOffer =
  (context: Context): UnaryHandler<typeof MessagesService.method.sendOffer> =>
  async (request, call) => {
    const draft = { ...request, operation: 'send_offer', requestKind: RequestKind.OFFER } as const;
    const { delivery, id } = await sendDraft(context, draft, call);
    return { delivery, id };
  };
