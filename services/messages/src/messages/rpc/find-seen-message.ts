import { printId } from '@hearth/ids';
import { type MessagesService, SenderStatus } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { findMessage } from '../../shared/db/messages.ts';
import { toSenderStatus } from '../../shared/domain/sender-status.ts';
import { isElsewhere } from '../../shared/domain/stored-address.ts';
import type { Context } from '../context.ts';

export const findSeenMessage =
  ({ database }: Context): UnaryHandler<typeof MessagesService.method.findSeenMessage> =>
  async ({ viewer, id }) => {
    const message = await findMessage(database.db, viewer, id);
    return message === null ? { seen: false } : { seen: true, author: authorOf(message) };
  };

function authorOf({ sender, sender_address, sender_status }: MessageRow): string {
  if (isElsewhere(sender_address)) return sender_address;
  return printId(toSenderStatus(sender_status) === SenderStatus.PERSON ? 'per' : 'ai', sender);
}
