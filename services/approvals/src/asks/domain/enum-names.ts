import {
  AnswerDecision,
  ApprovalKind,
  ApprovalStatus,
  Handling,
  Needs,
} from '@hearth/proto/approvals/v1/approvals';
import { Proof, Via } from '@hearth/proto/common/v1/caller';

/** Both ways between the numbers of an enum and the words that tables and records hold. */
interface Words<Value extends number> {
  word(value: Value): string;
  value(word: string): Value;
}

function words<Value extends number>(table: Readonly<Record<string, Value>>): Words<Value> {
  const byValue = new Map(Object.entries(table).map(([word, value]) => [value, word]));
  return {
    word: (value) => byValue.get(value) ?? '',
    value: (word) => table[word] ?? (0 as Value),
  };
}

export const statuses = words<ApprovalStatus>({
  waiting: ApprovalStatus.WAITING,
  approved: ApprovalStatus.APPROVED,
  declined: ApprovalStatus.DECLINED,
  cancelled: ApprovalStatus.CANCELLED,
  expired: ApprovalStatus.EXPIRED,
});

export const decisions = words<AnswerDecision>({
  waiting: AnswerDecision.WAITING,
  approved: AnswerDecision.APPROVED,
  declined: AnswerDecision.DECLINED,
});

export const kinds = words<ApprovalKind>({
  ask: ApprovalKind.ASK,
  photo: ApprovalKind.PHOTO,
  join: ApprovalKind.JOIN,
  join_request: ApprovalKind.JOIN_REQUEST,
  agreement: ApprovalKind.AGREEMENT,
  plan: ApprovalKind.PLAN,
  rules: ApprovalKind.RULES,
  guardian: ApprovalKind.GUARDIAN,
  invite: ApprovalKind.INVITE,
});

export const needsWords = words<Needs>({ any: Needs.ANY, all: Needs.ALL });

export const handlings = words<Handling>({
  delivered: Handling.DELIVERED,
  waiting_quietly: Handling.WAITING_QUIETLY,
  front_door: Handling.FRONT_DOOR,
  declined: Handling.DECLINED,
  turned_away: Handling.TURNED_AWAY,
});

/** The way by which an answer came. */
export const vias = words<Via>({
  web: Via.WEB,
  mcp: Via.MCP,
  api: Via.API,
  app: Via.APP,
  home: Via.HOME,
});

/** How a person's word was given; a tap when nothing more is known. */
export function proofWord(proof: Proof): 'tap' | 'passkey' | 'email' {
  if (proof === Proof.PASSKEY) return 'passkey';
  return proof === Proof.EMAIL ? 'email' : 'tap';
}
