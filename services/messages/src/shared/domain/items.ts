import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import type { Item, ItemsChange } from '@hearth/items';
import { RequestKindSchema } from '@hearth/proto/messages/v1/messages';
import { boxNames } from './message-sent.ts';

/** The kinds of request as items name them. */
export const kindNames = enumNames(RequestKindSchema);

/** A message that waits, as far as its item says it. */
export interface WaitingMessage {
  id: string;
  sender: string;
  /** uuid of the person behind the sender. */
  senderPerson: string | null;
  /** uuid of the responsible person of the recipient. */
  person: string;
  holder: string | null;
  box: number;
  /** RequestKind as which it counts. */
  kind: number;
  at: Date;
}

export function itemOf(message: WaitingMessage): Item {
  const { id, sender, senderPerson, person, holder, box, kind, at } = message;
  return {
    key: itemKey({ id }),
    owner: person,
    holder: holder ?? '',
    box: boxNames.nameOf(box),
    label: kindNames.nameOf(kind),
    since: timestampFromDate(at),
    senders: [...new Set([sender, senderPerson ?? sender])],
  };
}

export const itemKey = ({ id }: { id: string }) => ({ kind: 'message', id });

export const closing = (messages: readonly { id: string }[]): ItemsChange => ({
  closed: messages.map(itemKey),
});
