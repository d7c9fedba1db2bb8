import type { MessageInitShape } from '@bufbuild/protobuf';
import { shorten } from '@hearth/addresses';
import type { Item } from '@hearth/items';
import type { ItemViewSchema } from '@hearth/proto/approvals/v1/items';
import { itemKey, itemOf } from '../../shared/domain/items.ts';
import { isNameVerified, statusNames, toSenderStatus } from '../../shared/domain/sender-status.ts';
import type { RequestRow } from '../db/request-messages.ts';

const previewCharacters = 65;

export function toItem(row: RequestRow): Item {
  return itemOf({ ...row, senderPerson: row.sender_person, kind: row.counts_as ?? row.request_kind });
}

/** Addresses and names are in stored form; the service that shows them shields people under 18. */
export function toItemView(row: RequestRow): MessageInitShape<typeof ItemViewSchema> {
  return {
    key: itemKey(row),
    title: row.title ?? '',
    preview: shorten(row.body, previewCharacters),
    from: row.sender_address,
    fromName: row.sender_name,
    nameVerified: isNameVerified(row),
    fromStatus: statusNames.nameOf(toSenderStatus(row.sender_status)),
    to: row.recipient_address,
  };
}
