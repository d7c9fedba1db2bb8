import { enumNames } from '@hearth/enum-names';
import { AiStatusSchema } from '@hearth/proto/common/v1/caller';
import {
  AgreementOutcomeSchema,
  AgreementStatusSchema,
  OwnerStatusSchema,
} from '@hearth/proto/decisions/v1/agreements';

export const aiStatuses = enumNames(AiStatusSchema);
export const statuses = enumNames(AgreementStatusSchema);
export const outcomes = enumNames(AgreementOutcomeSchema);
export const ownerStatuses = enumNames(OwnerStatusSchema);
