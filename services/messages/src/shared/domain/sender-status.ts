import { AiStatus } from '@hearth/proto/common/v1/caller';
import { SenderStatus } from '@hearth/proto/messages/v1/messages';

const senderStatuses: Record<number, SenderStatus> = {
  [AiStatus.CLAIMED]: SenderStatus.CLAIMED,
  [AiStatus.VOUCHED]: SenderStatus.VOUCHED,
  [AiStatus.UNCLAIMED]: SenderStatus.UNCLAIMED,
};

export function toSenderStatus(status: number): SenderStatus {
  return senderStatuses[status] ?? SenderStatus.PERSON;
}
