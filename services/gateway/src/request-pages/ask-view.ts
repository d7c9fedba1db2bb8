import type { Approval, ApprovalRecipient } from '@hearth/proto/approvals/v1/approvals';
import type { Ask, AskRecipient } from '@hearth/web';
import { msOf, receiptPath } from '../pages/module.ts';
import { decisionName, kindName, needsName, requestKindName, statusName } from './approval-names.ts';
import { ownTitle } from './own-title.ts';

/** An ask as its page shows it. @param viewer the viewer's address or email address */
export function askView(approval: Approval, viewer: string, siteUrl: string): Ask {
  const { id, title, details, preview, choices, freeText, from, fromName, nameVerified, digest } = approval;
  const { about, aboutName } = approval;
  return {
    ...{ id, title, details, preview, choices, freeText, from, fromName, nameVerified, digest },
    ...(about !== undefined && { about: { address: about, name: aboutName || about } }),
    ...{ home: approval.home, pending: approval.pending === true, disputed: approval.disputed },
    ownTitle: ownTitle(approval),
    kind: kindName(approval.kind),
    requestKind: requestKindName(approval.requestKind ?? 0),
    needs: needsName(approval.needs),
    groupName: approval.group?.name,
    people: approval.people.map((recipient) => askRecipient(recipient, viewer)),
    status: statusName(approval.status),
    why: approval.void ?? approval.why,
    askedAtMs: msOf(approval.at) ?? 0,
    expiresAtMs: msOf(approval.expiresAt) ?? 0,
    settledAtMs: msOf(approval.settledAt),
    receipt: receiptPath(approval.receipt, siteUrl),
  };
}

function askRecipient(
  { to, person, decision, answer, note, at, by }: ApprovalRecipient,
  viewer: string,
): AskRecipient {
  return {
    ...{ to, answer, note },
    name: person,
    decision: decisionName(decision),
    atMs: msOf(at),
    by: by === undefined ? undefined : by === 'person' ? 'person' : 'ai',
    isViewer: to === viewer,
  };
}
