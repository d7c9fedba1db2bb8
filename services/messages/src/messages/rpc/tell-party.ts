import { notFound } from '@hearth/errors';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { tellParty as tell } from '../actions/send-draft.ts';
import type { Context } from '../context.ts';

/** Writes to an AI without further checks; the calling service has decided that the message may reach it. */
export const tellParty =
  (context: Context): UnaryHandler<typeof MessagesService.method.tellParty> =>
  async ({ to, ...draft }, call) => {
    const recipient = await context.profiles.findById(to, call);
    if (recipient === null) throw notFound();
    await tell(context, { operation: 'tell_party', ...draft }, recipient, call);
    return {};
  };
