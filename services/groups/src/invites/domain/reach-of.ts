import type { MessageInitShape } from '@bufbuild/protobuf';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { ReachSchema } from '@hearth/proto/approvals/v1/request_rules';
import type { InviteRow } from '../db/invites.ts';

export type Inviter = Pick<InviteRow, 'created_by_kind' | 'created_by' | 'created_by_person'>;

/** The recipient that the rules are applied to. */
export type ReachTarget =
  | {
      person: string;
      /** uuid of the AI that was named in place of `person`; empty without one. */
      ai: string;
      /** Whether it counts against caps; false only checks. */
      count: boolean;
    }
  | { email: string };

/** An invite as a request of its inviter to its recipient. The inviter chooses no kind, so it is OTHER. */
export function reachOf(
  { created_by_kind, created_by, created_by_person }: Inviter,
  to: ReachTarget,
): MessageInitShape<typeof ReachSchema> {
  const byAi = created_by_kind === 'ai';
  return {
    sender: created_by,
    senderKind: created_by_kind,
    senderPerson: byAi ? created_by_person : '',
    // An organizer is responsible for every invite.
    checked: true,
    kind: RequestKind.OTHER,
    ...('email' in to
      ? { recipientEmail: to.email }
      : { recipient: to.person, recipientAi: to.ai, count: to.count }),
  };
}
