import { enumNames } from '@hearth/enum-names';
import {
  DecisionNeedsSchema,
  DecisionStatusSchema,
  QuestionKindSchema,
  ReviewActionSchema,
  VerdictSchema,
} from '@hearth/proto/decisions/v1/decisions';

export const statuses = enumNames(DecisionStatusSchema);
export const questionKinds = enumNames(QuestionKindSchema);
export const needs = enumNames(DecisionNeedsSchema);
export const verdicts = enumNames(VerdictSchema);
export const reviewActions = enumNames(ReviewActionSchema);
