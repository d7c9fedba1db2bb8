import type { JsonObject } from '@bufbuild/protobuf';
import type { RequestKind } from '@hearth/proto/messages/v1/messages';
import type { MessageRequest } from '../../shared/db/insert-messages.ts';
import { requestDigest } from './request-digest.ts';

/** A message as a caller asked for it, by send_message or reply_message. */
export interface Draft {
  operation: 'send_message' | 'reply_message';
  /** In a stored form once `sendDraft` has read it. */
  to?: string | undefined;
  thread?: string | undefined;
  replyTo?: string | undefined;
  text: string;
  title?: string | undefined;
  data?: JsonObject | undefined;
  requestKind?: RequestKind | undefined;
  requestId?: string | undefined;
  /** `to` names a person under 18 by a handle that the caller may not know. */
  unseen?: boolean;
}

export function requestOf(draft: Draft): MessageRequest | null {
  if (draft.requestId === undefined) return null;
  const { operation, requestId, to, thread, replyTo, text, title, data, requestKind } = draft;
  const digest = requestDigest([to, thread, replyTo, text, title, data && JSON.stringify(data), requestKind]);
  return { operation, requestId, digest };
}
