import { enumNames } from '@hearth/enum-names';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { SenderStatus, SenderStatusSchema } from '@hearth/proto/messages/v1/messages';
import type { MessageRow } from '../db/message-row.ts';
import { isElsewhere } from './stored-address.ts';

/** Status names between homes, the same as the API's. */
export const statusNames = enumNames(SenderStatusSchema);

const senderStatuses: Record<number, SenderStatus> = {
  [AiStatus.CLAIMED]: SenderStatus.CLAIMED,
  [AiStatus.VOUCHED]: SenderStatus.VOUCHED,
  [AiStatus.UNCLAIMED]: SenderStatus.UNCLAIMED,
};

export function toSenderStatus(status: number): SenderStatus {
  return senderStatuses[status] ?? SenderStatus.PERSON;
}

/**
 * A person vouches for their own name and the name of an AI that they own; no one here vouches for a name
 * from another home.
 */
export function isNameVerified({
  sender_status: status,
  sender_address,
}: Pick<MessageRow, 'sender_status' | 'sender_address'>): boolean {
  return status !== AiStatus.UNCLAIMED && status !== AiStatus.VOUCHED && !isElsewhere(sender_address);
}
