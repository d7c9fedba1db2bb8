import { isUuid, parseId, printId } from '@hearth/ids';
import { type MessagesService, SenderStatus } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { findMessage } from '../../shared/db/messages.ts';
import { toSenderStatus } from '../../shared/domain/sender-status.ts';
import { isElsewhere } from '../../shared/domain/stored-address.ts';
import { nameHere } from '../actions/name-here.ts';
import type { Context } from '../context.ts';

export const findSeenMessage =
  (context: Context): UnaryHandler<typeof MessagesService.method.findSeenMessage> =>
  async ({ viewer, id: given }) => {
    const id = isUuid(given) ? given : parseId('msg', (await nameHere(context, { id: given }, viewer)).id);
    const message = id === null ? null : await findMessage(context.database.db, viewer, id);
    if (message === null) return { seen: false };
    return { seen: true, author: authorOf(message), id: message.id };
  };

function authorOf({ sender, sender_address, sender_status }: MessageRow): string {
  if (isElsewhere(sender_address)) return sender_address;
  return printId(toSenderStatus(sender_status) === SenderStatus.PERSON ? 'per' : 'ai', sender);
}
