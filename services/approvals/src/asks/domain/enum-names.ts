import { enumNames } from '@hearth/enum-names';
import {
  AnswerDecisionSchema,
  ApprovalKindSchema,
  ApprovalStatusSchema,
  HandlingSchema,
  NeedsSchema,
} from '@hearth/proto/approvals/v1/approvals';
import { ViaSchema } from '@hearth/proto/common/v1/caller';

export const statuses = enumNames(ApprovalStatusSchema);
export const decisions = enumNames(AnswerDecisionSchema);
export const kinds = enumNames(ApprovalKindSchema);
export const needs = enumNames(NeedsSchema);
export const handlings = enumNames(HandlingSchema);
export const vias = enumNames(ViaSchema);
