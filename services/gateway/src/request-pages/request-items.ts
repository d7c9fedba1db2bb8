import { type Approval, ApprovalKind, ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import type { RequestEntry } from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/rpc';
import type { RequestItem } from '@hearth/web';
import { ifThere, msOf } from '../pages/module.ts';
import { requestKindWord } from './approval-words.ts';
import type { ApprovalPeers } from './context.ts';
import { rulesView } from './rule-view.ts';

/** All that waits for a person. */
export interface Waiting {
  /** Newest first. */
  items: RequestItem[];
  /** There are more than these. */
  more: boolean;
  /** One of the services did not answer. */
  partial: boolean;
}

/** A form takes no more than a hundred fields, and nobody looks at more at once. */
const shownItems = 50;

/** Asks that wait for the person's own word, with messages and invites of those with whom they share no group. */
export async function listWaiting(
  { approvals, requests, rules }: Pick<ApprovalPeers, 'approvals' | 'requests' | 'rules'>,
  caller: Caller,
): Promise<Waiting> {
  const status = ApprovalStatus.WAITING;
  const [asked, sent] = await Promise.all([
    ifThere(approvals.listApprovals({ status, limit: shownItems }, { caller })),
    ifThere(requests.listRequests({ limit: shownItems }, { caller })),
  ]);
  const items = new Map<string, RequestItem>();
  for (const approval of asked?.approvals ?? []) {
    if (approval.toYou === true) items.set(approval.id, itemOfAsk(approval));
  }
  for (const entry of sent?.requests ?? []) {
    // What stands at the front door is not theirs to answer yet.
    if (!entry.frontDoor) items.set(entry.id, itemOfEntry(entry, items.get(entry.id)));
  }
  const all = [...items.values()].sort((one, other) => other.atMs - one.atMs);
  const shown = all.slice(0, shownItems);
  return {
    items: await withRules(rules, shown, caller),
    more: all.length > shownItems || isGiven(asked?.nextCursor) || isGiven(sent?.nextCursor),
    partial: asked === undefined || sent === undefined,
  };
}

/** A proposal of rules with the rows that it would change; one at a time waits for a person. */
async function withRules(
  rules: ApprovalPeers['rules'],
  items: RequestItem[],
  caller: Caller,
): Promise<RequestItem[]> {
  if (items.every(({ yes }) => yes !== 'rules')) return items;
  const told = await ifThere(rules.getRequestRules({}, { caller }));
  if (told === undefined) return items;
  const { rows: present, proposal } = rulesView(told);
  return items.map((item) =>
    item.yes === 'rules' && item.id === proposal?.id
      ? { ...item, rules: { present, changes: proposal.changes } }
      : item,
  );
}

const isGiven = (cursor: string | undefined) => cursor !== undefined && cursor !== '';

function itemOfAsk(approval: Approval): RequestItem {
  const { id, title, details, preview, from, fromName, nameVerified, about, at, expiresAt, digest } =
    approval;
  return {
    id,
    type: 'approval',
    title,
    preview: details ?? preview ?? '',
    from,
    fromName,
    nameVerified,
    atMs: msOf(at) ?? 0,
    endsAtMs: msOf(expiresAt),
    aboutChild: about !== undefined,
    yes: yesOf(approval),
    digest,
  };
}

function yesOf({ kind, choices, freeText }: Approval): RequestItem['yes'] {
  if (kind === ApprovalKind.RULES) return 'rules';
  return choices.length > 0 || freeText ? 'answer' : 'tap';
}

function itemOfEntry(entry: RequestEntry, ask: RequestItem | undefined): RequestItem {
  const { id, title, preview, from, fromName, nameVerified, kind, at, expiresAt, passedNote } = entry;
  const stranger = { purpose: requestKindWord(kind), passedNote };
  if (ask !== undefined) return { ...ask, ...stranger };
  const type = entry.type === 'message' || entry.type === 'invite' ? entry.type : 'approval';
  return {
    ...{ id, type, title, preview, from, fromName, nameVerified, ...stranger },
    atMs: msOf(at) ?? 0,
    endsAtMs: msOf(expiresAt),
    // How an ask is answered is told by its page, when the list of asks did not reach to it.
    yes: type === 'approval' ? 'answer' : 'tap',
  };
}
