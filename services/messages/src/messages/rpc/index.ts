import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countUnread } from './count-unread.ts';
import { deleteMessage } from './delete-message.ts';
import { getMessage } from './get-message.ts';
import { getThread } from './get-thread.ts';
import { listContacts } from './list-contacts.ts';
import { listMessages } from './list-messages.ts';
import { listThreads } from './list-threads.ts';
import { markRead } from './mark-read.ts';
import { replyMessage } from './reply-message.ts';
import { sendMessage } from './send-message.ts';

export function createHandlers(context: Context): Handlers<typeof MessagesService> {
  return {
    sendMessage: sendMessage(context),
    replyMessage: replyMessage(context),
    listMessages: listMessages(context),
    getMessage: getMessage(context),
    listThreads: listThreads(context),
    getThread: getThread(context),
    markRead: markRead(context),
    deleteMessage: deleteMessage(context),
    countUnread: countUnread(context),
    listContacts: listContacts(context),
  };
}

export type MessagesHandlers = Handlers<typeof MessagesService>;
