export type Status = 'open' | 'ready' | 'settled' | 'declined';
/** side_gone also of a ready one. */
export type Why = 'declined' | 'withdrawn' | 'expired' | 'side_gone';
export type Outcome = 'kept' | 'not_kept';
/** The list in which it stands for a side; `refused`: the side learns of it no more. */
export type Box = 'inbox' | 'requests' | 'front_door' | 'refused';

/** A signature by the own key of an AI. */
export interface OwnSignature {
  protected: string;
  signature: string;
}

/** How an owner approved the signature of their AI, as the act of it tells another home. */
export interface OwnerWord {
  by: 'person' | 'ai';
  /** A person's own proof; `key` of an AI with the permission approve. */
  proof: string;
  via: string;
  /** The full address of that AI, unless its owner or that of the side is kept private. */
  ai?: string;
}

/** An AI of an agreement, as it was when the agreement was started. */
export interface AgreementParty {
  /** uuid */
  ai: string;
  /** uuid of its owner; null without one. Where it began without, this is who claimed it since. */
  person: string | null;
  /** When it was last passed on: it began without an owner. */
  handsAt?: number;
  /** uuid of the group that the AI runs. */
  group: string | null;
  address: string;
  name: string;
  status: 'claimed' | 'vouched' | 'unclaimed';
  /** It is the AI of a person under 18. */
  minor: boolean;
  box: Box;
  /** uuid of the AI at the front door. */
  holder: string | null;
  /** The kind of request as which it counts. */
  label: string;
  /** The words of the AI at the front door that passed it on. */
  passedNote: string;
  /** Milliseconds since 1970, as all times here; null before. */
  signedAt: number | null;
  signature: OwnSignature | null;
  /** uuid of the approval that its owner is asked for; null where none is needed. */
  approval: string | null;
  approvedAt: number | null;
  ownerWord?: OwnerWord | undefined;
  /** It was told of the agreement by a message, and its owner asked. */
  told: boolean;
  asked: boolean;
  settled: Outcome | null;
  note: string;
  settledAt: number | null;
  /** It was switched off, or changed hands. */
  gone: boolean;
  /** The home of an AI of another one. */
  home?: string;
  /** By operation, the last acts by which its home said what it said, whole, as JSON. */
  acts?: Readonly<Record<string, string>>;
  /** For a side of this home, in an agreement of another: when a no of a rule, or of the person, goes there, and its words. */
  noAt?: number | null;
  noWords?: string;
  /** That home knows that its person approved, and that it is gone. */
  vouched?: boolean;
  left?: boolean;
  /** That home says of it what it did not say; and its person was told so, then or before. */
  disputed?: boolean;
  disputeTold?: boolean;
}

/** A side as it is at first, where nothing is known of it that says otherwise. */
export const newSide: Omit<AgreementParty, 'ai' | 'address' | 'name'> = {
  ...{ person: null, group: null, status: 'unclaimed', minor: false },
  ...{ box: 'inbox', holder: null, label: 'offer', passedNote: '' },
  ...{ signedAt: null, signature: null, approval: null, approvedAt: null, told: false, asked: false },
  ...{ settled: null, note: '', settledAt: null, gone: false },
};

/** The columns of an agreement that its course goes by. The first side started it. */
export interface Agreement {
  /** r:<home>:<id> of one of another home, of which this is the copy. It stands in no row. */
  reference?: string;
  /** The signature of an AI that has an owner counts once that person approved. */
  needs_owners: boolean;
  status: Status;
  why: Why | null;
  reason: string | null;
  terms_digest: string;
  sign_by: Date;
  sides: readonly AgreementParty[];
  ready_at: Date | null;
  /** When it last moved: to ready, settled or declined. */
  settled_at: Date | null;
}

/** The columns of an agreement of which nothing is said yet. */
export const newAgreement = {
  ...{ why: null, reason: null, ready_at: null, settled_at: null, replaces: null, replaces_elsewhere: null },
  ...{ record: null, signed_record: null, settlement: null, signed_settlement: null },
} as const;

export function isFinal({ status }: Pick<Agreement, 'status'>): boolean {
  return status === 'settled' || status === 'declined';
}

/** False where an AI without an owner chose the name, and of a name of another home. */
export function isVerified({ home, status }: Pick<AgreementParty, 'home' | 'status'>): boolean {
  return home === undefined && status === 'claimed';
}

/** Whether the signature of a side counts. */
export function hasSigned({ signedAt, approval, approvedAt }: AgreementParty): boolean {
  return signedAt !== null && (approval === null || approvedAt !== null);
}

/** How the owner of a side approved it; undefined where they did not, or need not. */
export function ownerWordIn({ approval, approvedAt, ownerWord }: AgreementParty): OwnerWord | undefined {
  if (approval === null || approvedAt === null) return undefined;
  // No more is said of a word from before this was kept than what holds of any.
  return ownerWord ?? { by: 'ai', proof: 'key', via: 'home' };
}

export function isDisputed({ sides }: Pick<Agreement, 'sides'>): boolean {
  return sides.some(({ settled }) => settled === 'not_kept');
}

/** Whether the AI of a side is to act: to sign, or to say whether it was kept once another side has said so. */
export function waitsFor(
  { status, sides }: Pick<Agreement, 'status' | 'sides'>,
  side: AgreementParty,
): boolean {
  if (side.box !== 'inbox' || side.gone) return false;
  if (status === 'open') return side.signedAt === null;
  return status === 'ready' && side.settled === null && sides.some(({ settled }) => settled !== null);
}

/** Whether the owner of a side is to approve it. */
export function waitsForOwner({ status }: Pick<Agreement, 'status'>, side: AgreementParty): boolean {
  return status === 'open' && side.box === 'inbox' && side.approval !== null && side.approvedAt === null;
}

/**
 * A thing to do for a side of this home: a message to the AI, a question to its owner; where the agreement is of another home also
 * the end of the question, and what that home is to know.
 */
export interface Errand {
  kind: 'tell' | 'ask' | 'end' | 'no' | 'vouch' | 'leave';
  side: AgreementParty;
  /** When it is due. */
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
