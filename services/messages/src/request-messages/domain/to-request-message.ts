import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { shorten } from '@hearth/addresses';
import type {
  RequestsViewer as ProtoViewer,
  RequestMessageSchema,
} from '@hearth/proto/messages/v1/request_messages';
import { toSenderStatus } from '../../shared/domain/sender-status.ts';
import type { RequestRow, RequestsViewer } from '../db/request-messages.ts';

const previewCharacters = 65;

export function toViewer(viewer: ProtoViewer | undefined): RequestsViewer | null {
  if (viewer === undefined || viewer.person === '') return null;
  return { person: viewer.person, holders: viewer.holders };
}

/** Addresses and names are in their stored form; the service that shows them shields people under 18. */
export function toRequestMessage(row: RequestRow): MessageInitShape<typeof RequestMessageSchema> {
  return {
    id: row.id,
    thread: row.thread,
    sender: row.sender,
    senderPerson: row.sender_person ?? '',
    senderAddress: row.sender_address,
    senderName: row.sender_name,
    senderStatus: toSenderStatus(row.sender_status),
    recipient: row.recipient,
    recipientAddress: row.recipient_address,
    person: row.person,
    holder: row.holder ?? '',
    title: row.title ?? '',
    preview: shorten(row.body, previewCharacters),
    kind: row.counts_as ?? row.request_kind,
    box: row.box,
    at: timestampFromDate(row.at),
  };
}
