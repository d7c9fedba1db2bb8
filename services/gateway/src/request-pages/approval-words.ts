import {
  AnswerDecisionSchema,
  ApprovalKindSchema,
  type ApprovalStatus,
  ApprovalStatusSchema,
  NeedsSchema,
  type RequestKind as RequestKindNumber,
  RequestKindSchema,
} from '@hearth/proto/approvals/v1/approvals';
import { enumWords } from '@hearth/proto-json';
import type { AskedOne, AskKind, AskStatus, RequestKind } from '@hearth/web';

/** The words that pages have for what a service says by number; a number of later versions is the usual one. */
export const statusWord = (status: ApprovalStatus): AskStatus =>
  wordOf(ApprovalStatusSchema, status, 'waiting');
export const kindWord = (kind: number): AskKind => wordOf(ApprovalKindSchema, kind, 'ask');
export const requestKindWord = (kind: RequestKindNumber): RequestKind =>
  wordOf(RequestKindSchema, kind, 'other');
export const decisionWord = (decision: number): AskedOne['decision'] =>
  wordOf(AnswerDecisionSchema, decision, 'waiting');
export const needsWord = (needs: number): 'any' | 'all' => wordOf(NeedsSchema, needs, 'any');

function wordOf<Word extends string>(
  schema: Parameters<typeof enumWords>[0],
  number: number,
  usual: Word,
): Word {
  return (enumWords(schema).wordOf.get(number) ?? usual) as Word;
}
