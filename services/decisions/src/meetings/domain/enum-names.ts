import { enumNames } from '@hearth/enum-names';
import { MeetingStatusSchema, OfferStatusSchema } from '@hearth/proto/decisions/v1/meetings';

export const offerStatuses = enumNames(OfferStatusSchema);
export const meetingStatuses = enumNames(MeetingStatusSchema);
