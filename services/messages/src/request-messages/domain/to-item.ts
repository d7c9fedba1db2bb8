import type { MessageInitShape } from '@bufbuild/protobuf';
import { shorten } from '@hearth/addresses';
import { enumNames } from '@hearth/enum-names';
import type { Item } from '@hearth/items';
import type { ItemViewSchema } from '@hearth/proto/approvals/v1/items';
import { SenderStatus, SenderStatusSchema } from '@hearth/proto/messages/v1/messages';
import { itemKey, itemOf } from '../../shared/domain/items.ts';
import { toSenderStatus } from '../../shared/domain/sender-status.ts';
import type { RequestRow } from '../db/request-messages.ts';

const previewCharacters = 65;

const statuses = enumNames(SenderStatusSchema);

export function toItem(row: RequestRow): Item {
  return itemOf({ ...row, senderPerson: row.sender_person, kind: row.counts_as ?? row.request_kind });
}

/** Addresses and names are in their stored form; the service that shows them shields people under 18. */
export function toItemView(row: RequestRow): MessageInitShape<typeof ItemViewSchema> {
  const status = toSenderStatus(row.sender_status);
  return {
    key: itemKey(row),
    title: row.title ?? '',
    preview: shorten(row.body, previewCharacters),
    from: row.sender_address,
    fromName: row.sender_name,
    nameVerified: status === SenderStatus.PERSON || status === SenderStatus.CLAIMED,
    fromStatus: statuses.nameOf(status),
    to: row.recipient_address,
  };
}
