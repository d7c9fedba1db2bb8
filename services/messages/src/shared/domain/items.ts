import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import type { Item, ItemsChange } from '@hearth/items';
import { RequestKind, RequestKindSchema } from '@hearth/proto/messages/v1/messages';
import { boxNames } from './message-sent.ts';

/** Names of request kinds in items. */
export const kindNames = enumNames(RequestKindSchema);

/** The facts about a waiting message that its item states. */
export interface WaitingMessage {
  id: string;
  sender: string;
  recipient: string;
  /** uuid of the person behind the sender. */
  senderPerson: string | null;
  /** uuid of the person responsible for the recipient. */
  person: string;
  holder: string | null;
  box: number;
  /** The RequestKind it counts as. */
  kind: number;
  at: Date;
  /** Passed on unchanged from the sender. */
  data: unknown;
}

export function itemOf(message: WaitingMessage): Item {
  const { id, sender, senderPerson, recipient, person, holder, box, kind, at, data } = message;
  const expires = kind === RequestKind.OFFER ? lastMomentIn(data) : null;
  return {
    key: itemKey({ id }),
    owner: person,
    holder: holder ?? '',
    box: boxNames.nameOf(box),
    label: kindNames.nameOf(kind),
    since: timestampFromDate(at),
    ...(expires !== null && { expires: timestampFromDate(expires) }),
    senders: [...new Set([sender, senderPerson ?? sender])],
    ai: recipient === person ? '' : recipient,
  };
}

/** Offered times can be booked until this moment; after that the message stops waiting. */
function lastMomentIn(data: unknown): Date | null {
  const { expires_at: given } = (data ?? {}) as { expires_at?: unknown };
  const at = typeof given === 'string' ? new Date(given) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at;
}

export const itemKey = ({ id }: { id: string }) => ({ kind: 'message', id });

export const closing = (messages: readonly { id: string }[]): ItemsChange => ({
  closed: messages.map(itemKey),
});
