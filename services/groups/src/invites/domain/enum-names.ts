import { enumNames } from '@hearth/enum-names';
import { InviteDeliverySchema, InviteStateSchema, InviteStatusSchema } from '@hearth/proto/groups/v1/invites';

export const statuses = enumNames(InviteStatusSchema);
export const states = enumNames(InviteStateSchema);
export const deliveries = enumNames(InviteDeliverySchema);
