import type { JsonObject } from '@bufbuild/protobuf';
import type { RequestKind } from '@hearth/proto/messages/v1/messages';
import type { MessageRequest } from '../../shared/db/insert-messages.ts';
import { requestDigest } from './request-digest.ts';

/** Runs a write once all writes that must precede it have begun. */
export type InTurn = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * A message to be sent: from send_message, reply_message, reply_commons, an offer of times, or another home.
 */
export interface Draft {
  operation:
    | 'send_message'
    | 'reply_message'
    | 'receive_message'
    | 'reply_commons'
    | 'send_offer'
    | 'tell_party';
  /** In stored form once `sendDraft` has resolved it. */
  to?: string | undefined;
  thread?: string | undefined;
  replyTo?: string | undefined;
  text: string;
  title?: string | undefined;
  data?: JsonObject | undefined;
  requestKind?: RequestKind | undefined;
  requestId?: string | undefined;
  /** Whether `to` is the handle of a person under 18, which the caller may not know. */
  unseen?: boolean;
  /**
   * For a message from another home: its reference, and the uuids already assigned to it and, if it begins
   * one, to the thread.
   */
  newIds?: { message: string; thread: string; reference: string };
  /** The remote item that carried it, as JSON. */
  envelope?: string;
  /** Runs the write after earlier ones; absent if the order does not matter. */
  inTurn?: InTurn;
  /** Treats the sender as a stranger, regardless of earlier contact. */
  asStranger?: boolean;
}

export function requestOf(draft: Draft): MessageRequest | null {
  if (draft.requestId === undefined) return null;
  const { operation, requestId, to, text, title, data, requestKind } = draft;
  // In a message from another home these are references, which a repeat may resolve further; that home
  // compares its content.
  const { thread, replyTo }: Partial<Draft> = operation === 'receive_message' ? {} : draft;
  const digest = requestDigest([to, thread, replyTo, text, title, data && JSON.stringify(data), requestKind]);
  return { operation, requestId, digest };
}
