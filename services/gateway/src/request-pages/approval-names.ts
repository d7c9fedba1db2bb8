import {
  AnswerDecisionSchema,
  ApprovalKindSchema,
  type ApprovalStatus,
  ApprovalStatusSchema,
  NeedsSchema,
  type RequestKind as RequestKindNumber,
  RequestKindSchema,
} from '@hearth/proto/approvals/v1/approvals';
import type { AskKind, AskRecipient, AskStatus, RequestKind } from '@hearth/web';
import { nameOf } from '../pages/module.ts';

/** Names of the service's enum values on pages; values of later versions get the usual name. */
export const statusName = (status: ApprovalStatus): AskStatus =>
  nameOf(ApprovalStatusSchema, status, 'waiting');
export const kindName = (kind: number): AskKind => nameOf(ApprovalKindSchema, kind, 'ask');
export const requestKindName = (kind: RequestKindNumber): RequestKind =>
  nameOf(RequestKindSchema, kind, 'other');
export const decisionName = (decision: number): AskRecipient['decision'] =>
  nameOf(AnswerDecisionSchema, decision, 'waiting');
export const needsName = (needs: number): 'any' | 'all' => nameOf(NeedsSchema, needs, 'any');
