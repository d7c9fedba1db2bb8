import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';
import { countRequestMessages } from './count-request-messages.ts';
import { declineThread } from './decline-thread.ts';
import { findRequestMessage } from './find-request-message.ts';
import { findSeenMessage } from './find-seen-message.ts';
import { listRequestMessages } from './list-request-messages.ts';
import { moveThread } from './move-thread.ts';
import { relabelThread } from './relabel-thread.ts';

export function requestMessagesHandlers(context: RequestMessagesContext): RequestMessagesHandlers {
  return {
    listRequestMessages: listRequestMessages(context),
    countRequestMessages: countRequestMessages(context),
    findRequestMessage: findRequestMessage(context),
    moveThread: moveThread(context),
    declineThread: declineThread(context),
    relabelThread: relabelThread(context),
    findSeenMessage: findSeenMessage(context),
  };
}
