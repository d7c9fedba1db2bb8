import type { MessageInitShape } from '@bufbuild/protobuf';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { ReachSchema } from '@hearth/proto/approvals/v1/request_rules';
import type { InviteRow } from '../db/invites.ts';

export type Inviter = Pick<InviteRow, 'created_by_kind' | 'created_by' | 'created_by_person'>;

/**
 * An invite as a request of its inviter to its recipient. Its kind is OTHER: an inviter gives none.
 *
 * @param ai uuid of the AI that was named in place of `person`; empty without one
 * @param count false only looks
 */
export function reachOf(
  { created_by_kind, created_by, created_by_person }: Inviter,
  { person, ai, count }: { person: string; ai: string; count: boolean },
): MessageInitShape<typeof ReachSchema> {
  const byAi = created_by_kind === 'ai';
  return {
    sender: created_by,
    senderKind: created_by_kind,
    senderPerson: byAi ? created_by_person : '',
    // An organizer answers for every invite.
    checked: true,
    recipient: person,
    recipientAi: ai,
    kind: RequestKind.OTHER,
    count,
  };
}
