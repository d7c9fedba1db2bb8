import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  AnswerDecision,
  type Approval,
  ApprovalKind,
  ApprovalSchema,
  ApprovalStatus,
  Needs,
  RequestKind,
} from '@hearth/proto/approvals/v1/approvals';
import { clock } from '../home-with-people.ts';

export const idOfAsk = (number: number) => `apr_${String(number).padStart(32, '0')}`;

/** An ask that waits for Ada. */
export function someApproval(more: MessageInitShape<typeof ApprovalSchema> = {}): Approval {
  return create(ApprovalSchema, {
    id: idOfAsk(1),
    title: 'May I book the train?',
    status: ApprovalStatus.WAITING,
    kind: ApprovalKind.ASK,
    requestKind: RequestKind.OTHER,
    details: 'Second class.\nOne change.',
    needs: Needs.ANY,
    from: '@ada.ai-robin',
    fromName: 'Robin <b>',
    nameVerified: true,
    people: [{ to: '@ada', person: 'Ada Lovelace', decision: AnswerDecision.WAITING }],
    at: timestampFromMs(clock.now() - 60 * 60_000),
    expiresAt: timestampFromMs(clock.now() + 3 * 60 * 60_000),
    digest: 'sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
    toYou: true,
    ...more,
  });
}
