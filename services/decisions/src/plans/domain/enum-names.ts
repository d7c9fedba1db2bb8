import { enumNames } from '@hearth/enum-names';
import { PlanStatusSchema, StanceKindSchema } from '@hearth/proto/decisions/v1/plans';

export const statuses = enumNames(PlanStatusSchema);
export const stanceKinds = enumNames(StanceKindSchema);
