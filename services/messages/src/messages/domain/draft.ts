import type { JsonObject } from '@bufbuild/protobuf';
import type { RequestKind } from '@hearth/proto/messages/v1/messages';
import type { MessageRequest } from '../../shared/db/insert-messages.ts';
import { requestDigest } from './request-digest.ts';

/** Runs a write once those that are to stand before it have begun. */
export type InTurn = <T>(write: () => Promise<T>) => Promise<T>;

/** A message as a caller asked for it, by send_message, reply_message or reply_commons, as an offer of times says it, or as it came from another home. */
export interface Draft {
  operation:
    | 'send_message'
    | 'reply_message'
    | 'receive_message'
    | 'reply_commons'
    | 'send_offer'
    | 'tell_party';
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
  /** A message of another home has its reference, and uuids for it and for the thread where it begins one, which were noted before. */
  newIds?: { message: string; thread: string; reference: string };
  /** The item of another home in which it came, as JSON. */
  envelope?: string;
  /** It is written behind those that came before it; absent where it need not wait. */
  inTurn?: InTurn;
  /** The sender counts as a stranger, whatever was before. */
  asStranger?: boolean;
}

export function requestOf(draft: Draft): MessageRequest | null {
  if (draft.requestId === undefined) return null;
  const { operation, requestId, to, text, title, data, requestKind } = draft;
  // From another home they are references, which may lead to more when it is repeated; its content is compared there.
  const { thread, replyTo }: Partial<Draft> = operation === 'receive_message' ? {} : draft;
  const digest = requestDigest([to, thread, replyTo, text, title, data && JSON.stringify(data), requestKind]);
  return { operation, requestId, digest };
}
