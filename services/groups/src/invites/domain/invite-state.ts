/** `approved` waits only for a guardian. */
export type InviteStatus = 'waiting' | 'approved' | 'declined' | 'used';

/**
 * Why the invite is `declined`. `full` and `cannot_join`: every approver agreed, but the group was full or
 * closed to the joiner. `archived`: the group was archived while the joiner waited.
 */
export type EndReason = 'declined' | 'withdrawn' | 'revoked' | 'expired' | NoEntry;

export type NoEntry = 'full' | 'cannot_join' | 'archived';

/**
 * An event on an invite. `asked`: a person asks to join by it; `organizer_said`, `guardian_said`: they agree
 * and another approver remains; `joined_otherwise`: its recipient joins by another invite. The rest: it is
 * used, or it or a join request by it ends.
 */
export type InviteTrigger =
  | 'asked'
  | 'organizer_said'
  | 'guardian_said'
  | 'joined'
  | 'joined_otherwise'
  | EndReason;

/** How far an invite has come. */
export interface InviteProgress {
  reusable: boolean;
  status: InviteStatus;
  /** Set when declined. */
  why: EndReason | null;
  uses: number;
  max_uses: number;
}

type Steps = Readonly<Partial<Record<InviteTrigger, InviteStatus>>>;

const ends = { revoked: 'declined', expired: 'declined' } as const;

/** Transitions of a one-time invite, which follows its only join request. */
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

/** Transitions of a reusable link, which stays open however its join requests end. */
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

/** The invite after the trigger; null if the trigger is impossible now, or all uses are taken. */
export function advance(invite: InviteProgress, trigger: InviteTrigger): InviteProgress | null {
  const status = (invite.reusable ? reusable : oneTime)[invite.status][trigger];
  if (status === undefined) return null;
  const uses = invite.uses + (trigger === 'joined' ? 1 : 0);
  if (uses > invite.max_uses) return null;
  return { ...invite, status, uses, why: status === 'declined' ? (trigger as EndReason) : null };
}

/** Whether the invite is still open at `now`. */
export function isOpen(
  { status, expires_at }: Pick<InviteProgress, 'status'> & { expires_at: Date },
  now: number,
) {
  return (status === 'waiting' || status === 'approved') && expires_at.getTime() > now;
}

/** The invite's state at `now`, expired even if the job has not run yet. */
export function atMoment<Invite extends InviteProgress & { expires_at: Date }>(
  invite: Invite,
  now: number,
): Invite {
  if (invite.expires_at.getTime() > now) return invite;
  return { ...invite, ...advance(invite, 'expired') };
}

/** An invite's state for a holder of its code. */
export type InviteUse = 'ok' | 'used' | 'expired' | 'revoked' | 'full';

/** @param invite its current state (`atMoment`) @param waiting how many join requests are pending: each holds a use */
export function useOf(invite: InviteProgress, waiting: number): InviteUse {
  if (invite.status === 'used') return 'used';
  if (invite.status === 'declined') {
    const { why } = invite;
    return why === 'revoked' || why === 'expired' || why === 'full' ? why : 'used';
  }
  if (invite.uses + waiting < invite.max_uses) return 'ok';
  return invite.reusable ? 'full' : 'used';
}
