import {
  type Approval,
  ApprovalKind,
  ApprovalStatus,
  ApprovalsService,
} from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { type RequestEntry, RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/rpc';
import type { RequestItem } from '@hearth/web';
import { type Context, ifThere, msOf } from '../pages/module.ts';
import { requestKindName } from './approval-names.ts';
import { invitationTitle, ownTitle } from './own-title.ts';
import { rulesView } from './rule-view.ts';

/** The requests that wait for a person. */
export interface Waiting {
  /** Newest first. */
  items: RequestItem[];
  /** Whether there are more. */
  more: boolean;
  /** Whether one of the services was unavailable. */
  partial: boolean;
}

/** A form accepts at most a hundred fields, so a page shows no more at once. */
const shownItems = 50;

/** Asks that wait for the person's own answer, and messages and invites from people who share no group with them. */
export async function listWaiting({ ask }: Context, caller: Caller): Promise<Waiting> {
  const status = ApprovalStatus.WAITING;
  const [asks, boxed] = await Promise.all([
    ifThere(ask(ApprovalsService.method.listApprovals, { status, limit: shownItems }, caller)),
    ifThere(ask(RequestsService.method.listRequests, { limit: shownItems }, caller)),
  ]);
  const items = new Map<string, RequestItem>();
  for (const approval of asks?.approvals ?? []) {
    if (approval.toYou === true) items.set(approval.id, itemOfAsk(approval));
  }
  for (const entry of boxed?.requests ?? []) {
    // A request at the front door is not the person's to answer yet.
    if (!entry.frontDoor) items.set(entry.id, itemOfEntry(entry, items.get(entry.id)));
  }
  const all = [...items.values()].sort((one, other) => other.atMs - one.atMs);
  const shown = all.slice(0, shownItems);
  return {
    items: await withRules(ask, shown, caller),
    more: all.length > shownItems || isGiven(asks?.nextCursor) || isGiven(boxed?.nextCursor),
    partial: asks === undefined || boxed === undefined,
  };
}

/** Adds the affected rows to a proposal of rules; at most one waits for a person. */
async function withRules(ask: Context['ask'], items: RequestItem[], caller: Caller): Promise<RequestItem[]> {
  const withRows = async (item: RequestItem) => ({
    ...item,
    rules: await proposedRules(ask, item.id, caller),
  });
  return await Promise.all(items.map((item) => (item.yes === 'rules' ? withRows(item) : item)));
}

/** The rows that a proposal of rules would change; undefined if it no longer waits, or can't be read. */
export async function proposedRules(
  ask: Context['ask'],
  id: string,
  caller: Caller,
): Promise<RequestItem['rules']> {
  const rules = await ifThere(ask(RequestRulesService.method.getRequestRules, {}, caller));
  if (rules === undefined) return undefined;
  const { rows: present, proposal } = rulesView(rules);
  return proposal?.id === id ? { present, changes: proposal.changes } : undefined;
}

const isGiven = (cursor: string | undefined) => cursor !== undefined && cursor !== '';

function itemOfAsk(approval: Approval): RequestItem {
  const {
    id,
    title,
    details,
    preview,
    from,
    fromName,
    nameVerified,
    about,
    aboutName,
    at,
    expiresAt,
    digest,
  } = approval;
  return {
    id,
    type: 'approval',
    title,
    ownTitle: ownTitle(approval),
    preview: details ?? preview ?? '',
    from,
    fromName,
    nameVerified,
    atMs: msOf(at) ?? 0,
    endsAtMs: msOf(expiresAt),
    aboutChild: aboutName || about,
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
  const stranger = { purpose: requestKindName(kind), passedNote };
  if (ask !== undefined) return { ...ask, ...stranger };
  const type = others.find((each) => each === entry.type) ?? 'approval';
  return {
    ...{ id, type, title, preview, from, fromName, nameVerified, ...stranger },
    atMs: msOf(at) ?? 0,
    endsAtMs: msOf(expiresAt),
    // The ask's own page knows how it is answered, if the list of asks didn't reach it.
    yes: type === 'approval' ? 'answer' : 'tap',
    ownTitle: type === 'invite' ? invitationTitle(title) : undefined,
  };
}

const others = ['message', 'invite', 'agreement'] as const;
