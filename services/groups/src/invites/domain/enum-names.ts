import { badField } from '@hearth/errors';
import {
  InviteDelivery as Delivery,
  InviteState,
  InviteStatus,
  JoinVia,
} from '@hearth/proto/groups/v1/invites';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { InviteDelivery, InviteRow } from '../db/invites.ts';
import type { JoinRow } from '../db/join-requests.ts';
import type { InviteUse } from './invite-state.ts';

const statuses = {
  waiting: InviteStatus.WAITING,
  approved: InviteStatus.APPROVED,
  declined: InviteStatus.DECLINED,
  used: InviteStatus.USED,
} as const;

const states: Record<InviteUse, InviteState> = {
  ok: InviteState.OK,
  used: InviteState.USED,
  expired: InviteState.EXPIRED,
  revoked: InviteState.REVOKED,
  full: InviteState.FULL,
};

export const toStatus = (status: InviteRow['status']): InviteStatus => statuses[status];

const deliveries = {
  delivered: Delivery.DELIVERED,
  requested: Delivery.REQUESTED,
  front_door: Delivery.FRONT_DOOR,
  declined: Delivery.DECLINED,
} as const;

export const toDelivery = (delivery: InviteDelivery): Delivery => deliveries[delivery];

export const toState = (use: InviteUse): InviteState => states[use];

/** The word of a status; null for none given. */
export function statusWord(status: InviteStatus | undefined): InviteRow['status'] | null {
  const words = Object.keys(statuses) as InviteRow['status'][];
  return words.find((word) => statuses[word] === status) ?? null;
}

/** How the code came to the joiner, by their own word. @throws bad_field for what nobody here can say */
export function viaWord(via: JoinVia | undefined, caller: Caller): JoinRow['via'] {
  switch (via) {
    case undefined:
    case JoinVia.UNSPECIFIED:
      return caller.kind !== callerKinds.ANONYMOUS && caller.app !== '' ? 'app' : 'link';
    case JoinVia.LINK:
      return 'link';
    case JoinVia.CODE:
      return 'code';
    case JoinVia.INVITE:
      return 'invite';
    case JoinVia.APP:
      return 'app';
    default:
      throw badField('via', 'must be link, code, invite or app');
  }
}
