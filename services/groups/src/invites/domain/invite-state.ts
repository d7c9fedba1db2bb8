/** `approved` waits only for a guardian. */
export type InviteStatus = 'waiting' | 'approved' | 'declined' | 'used';

/**
 * Why it is `declined`. `full` and `cannot_join`: every approver agreed, and the group was full or closed to the joiner; `archived`: the
 * group was archived while the joiner waited.
 */
export type EndReason = 'declined' | 'withdrawn' | 'revoked' | 'expired' | NoEntry;

export type NoEntry = 'full' | 'cannot_join' | 'archived';

/**
 * An act on an invite: a person asks to join by it, an organizer or a guardian agrees and another approver is left, a
 * person joins by it, whoever it is for joins by another (`joined_otherwise`), or it (or a join request by it) comes to nothing.
 */
export type InviteTrigger =
  | 'asked'
  | 'organizer_said'
  | 'guardian_said'
  | 'joined'
  | 'joined_otherwise'
  | EndReason;

/** The status of an invite. */
export interface InviteProgress {
  reusable: boolean;
  status: InviteStatus;
  /** Given when declined. */
  why: EndReason | null;
  uses: number;
  max_uses: number;
}

type Steps = Readonly<Partial<Record<InviteTrigger, InviteStatus>>>;

const ends = { revoked: 'declined', expired: 'declined' } as const;

/** A one-time invite has one joiner and follows their join request. */
const oneTime: Readonly<Record<InviteStatus, Steps>> = {
  waiting: {
    asked: 'waiting',
    organizer_said: 'approved',
    guardian_said: 'waiting',
    joined: 'used',
    joined_otherwise: 'used',
    declined: 'declined',
    withdrawn: 'declined',
    full: 'declined',
    cannot_join: 'declined',
    archived: 'declined',
    ...ends,
  },
  approved: {
    joined: 'used',
    joined_otherwise: 'used',
    declined: 'declined',
    withdrawn: 'declined',
    full: 'declined',
    cannot_join: 'declined',
    archived: 'declined',
    ...ends,
  },
  declined: {},
  used: {},
};

/** A reusable link stays as it is, however its join requests end. */
const reusable: Readonly<Record<InviteStatus, Steps>> = {
  waiting: {
    asked: 'waiting',
    organizer_said: 'waiting',
    guardian_said: 'waiting',
    joined: 'waiting',
    joined_otherwise: 'waiting',
    declined: 'waiting',
    withdrawn: 'waiting',
    full: 'waiting',
    cannot_join: 'waiting',
    archived: 'waiting',
    ...ends,
  },
  approved: {},
  declined: {},
  used: {},
};

/** The invite after that has happened; null where it cannot happen any more, or all uses are used up. */
export function advance(invite: InviteProgress, trigger: InviteTrigger): InviteProgress | null {
  const status = (invite.reusable ? reusable : oneTime)[invite.status][trigger];
  if (status === undefined) return null;
  const uses = invite.uses + (trigger === 'joined' ? 1 : 0);
  if (uses > invite.max_uses) return null;
  return { ...invite, status, uses, why: status === 'declined' ? (trigger as EndReason) : null };
}

/** Whether it has not ended by that time. */
export function isOpen(
  { status, expires_at }: Pick<InviteProgress, 'status'> & { expires_at: Date },
  now: number,
) {
  return (status === 'waiting' || status === 'approved') && expires_at.getTime() > now;
}

/** The invite as it is at that time, also when its time is over and the job has not run yet. */
export function atMoment<Invite extends InviteProgress & { expires_at: Date }>(
  invite: Invite,
  now: number,
): Invite {
  if (invite.expires_at.getTime() > now) return invite;
  return { ...invite, ...advance(invite, 'expired') };
}

/** The state of an invite for a holder of its code. */
export type InviteUse = 'ok' | 'used' | 'expired' | 'revoked' | 'full';

/**
 * @param invite as it is now (`atMoment`)
 * @param waiting the number of join requests that wait by it: each holds a use
 */
export function useOf(invite: InviteProgress, waiting: number): InviteUse {
  if (invite.status === 'used') return 'used';
  if (invite.status === 'declined') {
    const { why } = invite;
    return why === 'revoked' || why === 'expired' || why === 'full' ? why : 'used';
  }
  if (invite.uses + waiting < invite.max_uses) return 'ok';
  return invite.reusable ? 'full' : 'used';
}
