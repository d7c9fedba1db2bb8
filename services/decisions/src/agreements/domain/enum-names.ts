import { enumNames } from '@hearth/enum-names';
import {
  AgreementOutcomeSchema,
  AgreementStatusSchema,
  OwnerStatusSchema,
} from '@hearth/proto/decisions/v1/agreements';

export const statuses = enumNames(AgreementStatusSchema);
export const outcomes = enumNames(AgreementOutcomeSchema);
export const ownerStatuses = enumNames(OwnerStatusSchema);
