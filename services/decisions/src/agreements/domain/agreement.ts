import type { Owned } from '../../shared/db/hands.ts';

export type Status = 'open' | 'ready' | 'settled' | 'declined';
/** `side_gone` can also end a ready agreement. */
export type Why = 'declined' | 'withdrawn' | 'expired' | 'side_gone';
export type Outcome = 'kept' | 'not_kept';
/** The list where a side finds the agreement; `refused`: the side no longer sees it. */
export type Box = 'inbox' | 'requests' | 'front_door' | 'refused';

/** A signature by an AI's own key. */
export interface OwnSignature {
  protected: string;
  signature: string;
}

/** How an owner approved their AI's signature, as sent to another home. */
export interface OwnerWord {
  by: 'person' | 'ai';
  /** The person's proof; `key` for an AI with the approve permission. */
  proof: string;
  via: string;
  /** Full address of the approving AI; absent if its owner or the side's owner is private. */
  ai?: string;
}

/** An AI that is a side of an agreement, as it was when the agreement started. */
export interface AgreementParty {
  /** uuid */
  ai: string;
  /** uuid of its owner, or of the adult who claimed it later; null without an owner. */
  person: string | null;
  /** Time of the last change of owner; set only if the AI had no owner at the start. */
  handsAt?: number;
  /** uuid of the group that the AI runs. */
  group: string | null;
  address: string;
  name: string;
  status: 'claimed' | 'vouched' | 'unclaimed';
  /** Whether its owner is under 18. */
  minor: boolean;
  box: Box;
  /** uuid of the AI at the front door. */
  holder: string | null;
  /** The request kind that it counts as. */
  label: string;
  /** Note from the AI at the front door that passed it on. */
  passedNote: string;
  /** Milliseconds since 1970, like all times here; null until signed. */
  signedAt: number | null;
  signature: OwnSignature | null;
  /** uuid of the owner's approval; null if none is needed. */
  approval: string | null;
  approvedAt: number | null;
  ownerWord?: OwnerWord | undefined;
  /** Whether the AI was notified, and the owner asked. */
  told: boolean;
  asked: boolean;
  settled: Outcome | null;
  note: string;
  settledAt: number | null;
  /** Whether the AI was removed or changed hands. */
  gone: boolean;
  /** The AI's home; absent for a local AI. */
  home?: string;
  /** Per operation, the last act (JSON) by which the AI's home spoke for it. */
  acts?: Readonly<Record<string, string>>;
  /**
   * Local sides of remote agreements: when to send a decline by a rule or the owner (null: nothing to send),
   * and its reason.
   */
  noAt?: number | null;
  noWords?: string;
  /** Whether the remote home knows that the owner approved, and that the side is gone. */
  vouched?: boolean;
  left?: boolean;
  /** Whether the remote home misstates this side now, and whether its owner has ever been told. */
  disputed?: boolean;
  disputeTold?: boolean;
}

/** Defaults of a new side. */
export const newSide: Omit<AgreementParty, 'ai' | 'address' | 'name'> = {
  ...{ person: null, group: null, status: 'unclaimed', minor: false },
  ...{ box: 'inbox', holder: null, label: 'offer', passedNote: '' },
  ...{ signedAt: null, signature: null, approval: null, approvedAt: null, told: false, asked: false },
  ...{ settled: null, note: '', settledAt: null, gone: false },
};

/** The columns that the state machine uses. The first side started the agreement. */
export interface Agreement {
  /** r:<home>:<id>, only on the copy of a remote agreement; not a column. */
  reference?: string;
  /** Whether the signature of an owned AI counts only once its owner approves. */
  needs_owners: boolean;
  status: Status;
  why: Why | null;
  reason: string | null;
  terms_digest: string;
  sign_by: Date;
  sides: readonly AgreementParty[];
  ready_at: Date | null;
  /** Time of the last transition to ready, settled or declined. */
  settled_at: Date | null;
}

/** Defaults of a new agreement. */
export const newAgreement = {
  ...{ why: null, reason: null, ready_at: null, settled_at: null, replaces: null, replaces_elsewhere: null },
  ...{ record: null, signed_record: null, settlement: null, signed_settlement: null },
} as const;

/** The side's owner, as looked up, if the AI is local. */
export function ownedOf({ ai, home, minor, person }: AgreementParty): Owned[] {
  return home === undefined ? [{ ai, person, minor }] : [];
}

export function isFinal({ status }: Pick<Agreement, 'status'>): boolean {
  return status === 'settled' || status === 'declined';
}

/** False if the name was chosen by an AI without an owner, or by another home. */
export function isVerified({ home, status }: Pick<AgreementParty, 'home' | 'status'>): boolean {
  return home === undefined && status === 'claimed';
}

/** Whether the side's signature counts. */
export function hasSigned({ signedAt, approval, approvedAt }: AgreementParty): boolean {
  return signedAt !== null && (approval === null || approvedAt !== null);
}

/** How the side's owner approved; undefined if they didn't, or needn't. */
export function ownerWordIn({ approval, approvedAt, ownerWord }: AgreementParty): OwnerWord | undefined {
  if (approval === null || approvedAt === null) return undefined;
  // For approvals from before this was stored, assume the weakest form.
  return ownerWord ?? { by: 'ai', proof: 'key', via: 'home' };
}

export function isDisputed({ sides }: Pick<Agreement, 'sides'>): boolean {
  return sides.some(({ settled }) => settled === 'not_kept');
}

/** Whether the side's AI must act: sign, or report the outcome once another side has reported. */
export function waitsFor(
  { status, sides }: Pick<Agreement, 'status' | 'sides'>,
  side: AgreementParty,
): boolean {
  if (side.box !== 'inbox' || side.gone) return false;
  if (status === 'open') return side.signedAt === null;
  return status === 'ready' && side.settled === null && sides.some(({ settled }) => settled !== null);
}

/** Whether the side's owner must approve. */
export function waitsForOwner({ status }: Pick<Agreement, 'status'>, side: AgreementParty): boolean {
  return status === 'open' && side.box === 'inbox' && side.approval !== null && side.approvedAt === null;
}

/**
 * A task for a local side: notify the AI or ask its owner; for a remote agreement also end the question, or
 * send the side's act there.
 */
export interface Errand {
  kind: 'tell' | 'ask' | 'end' | 'no' | 'vouch' | 'leave';
  side: AgreementParty;
  /** Due time; 0: now. */
  at: number;
}

export function errandsOf(row: Pick<Agreement, 'reference' | 'status' | 'sides'>): Errand[] {
  const open = row.status === 'open';
  const elsewhere = row.reference !== undefined;
  return row.sides
    .filter(({ home }) => home === undefined)
    .flatMap((side): Errand[] => {
      const { approval, approvedAt, asked, box, gone, left, noAt, signedAt, told, vouched } = side;
      const errands: Errand[] = [];
      const due = (kind: Errand['kind'], at = 0) => errands.push({ kind, side, at });
      const reached = box === 'inbox' && !gone;
      const waits = approval !== null && approvedAt === null;
      if (open && reached && !told) due('tell');
      if (open && reached && waits && !asked) due('ask');
      if (!elsewhere) return errands;
      if (waits && asked && (row.status === 'declined' || box === 'refused' || gone)) due('end');
      if (open && noAt !== undefined && noAt !== null) due('no', noAt);
      if (open && approvedAt !== null && signedAt !== null && vouched !== true) due('vouch');
      if (gone && left !== true && !isFinal(row) && box === 'inbox') due('leave');
      return errands;
    });
}
