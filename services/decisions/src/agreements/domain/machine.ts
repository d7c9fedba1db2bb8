import { badRequest, forbidden } from '@hearth/errors';
import { refusalsOf } from '../../shared/domain/refusals.ts';
import {
  type Agreement,
  type AgreementParty,
  type Box,
  type Errand,
  errandsOf,
  hasSigned,
  isFinal,
  type Outcome,
  type OwnerWord,
  type OwnSignature,
  type Why,
} from './agreement.ts';

const { notWaiting, over } = refusalsOf('agreement');

/** A remote AI's signature, as reported by its home. */
export interface SignedElsewhere extends Pick<AgreementParty, 'name' | 'status'> {
  /** Whether the AI's owner approves. */
  approved: boolean;
  /** The signed act as JSON. */
  item: string;
}

/** An act on an agreement; `ai` is the uuid of the side's AI. */
export type Act =
  | {
      kind: 'sign';
      ai: string;
      termsDigest: string;
      signature: OwnSignature | null;
      elsewhere?: SignedElsewhere | undefined;
    }
  /** The owner approved the signature. */
  | { kind: 'approve'; ai: string; word?: OwnerWord | undefined }
  /** By the side, its owner, or the person in whose requests it waits. */
  | { kind: 'decline'; ai: string; reason: string }
  | { kind: 'settle'; ai: string; outcome: Outcome; note: string; item?: string | undefined }
  /** The side's list changes: let in, passed on, or refused. */
  | { kind: 'place'; ai: string; box: Box; passedNote?: string; label?: string }
  /**
   * The AI was removed or changed hands. `owner` (uuid): only if that is still its owner.
   *
   * @param isAnew the AI's home name now belongs to a different home, which must not be told
   */
  | { kind: 'leave'; ai: string; owner?: string; isAnew?: boolean }
  /** The AI has a new owner (uuid), or none. @param approval uuid for the new owner's approval */
  | { kind: 'pass on'; ai: string; person: string | null; handsAt: number; approval: string }
  | { kind: 'done'; ai: string; errand: Errand['kind'] }
  | { kind: 'pass' };

/** An act on one side; also used for the copies of remote agreements. */
export type SideAct = Extract<Act, { ai: string }>;

/**
 * The agreement after an act. Acts that change nothing (a second signature, an act on an ended agreement)
 * return the same object.
 *
 * @throws bad_request (not_waiting, already_settled, ask_changed); forbidden for an AI that isn't a side
 */
export function next<Row extends Agreement>(agreement: Row, act: Act, at: number): Row {
  switch (act.kind) {
    case 'sign':
      return signed(agreement, act, at);
    case 'approve':
      if (agreement.status !== 'open' || sideOf(agreement, act.ai).approvedAt !== null) return agreement;
      return whole(changed(agreement, act.ai, { approvedAt: at, ownerWord: act.word }), at);
    case 'decline':
      return declined(agreement, act, at);
    case 'settle':
      return settled(agreement, act, at);
    case 'place':
      return placed(agreement, act);
    case 'leave':
      return left(agreement, act, at);
    case 'pass on':
      return passedOn(agreement, act, at);
    case 'done':
      return changed(agreement, act.ai, done[act.errand]);
    case 'pass':
      return agreement.status === 'open' && agreement.sign_by.getTime() <= at
        ? ended(agreement, 'expired', '', at)
        : agreement;
  }
}

/** How a completed errand changes its side. */
const done: Record<Errand['kind'], Partial<AgreementParty>> = {
  tell: { told: true },
  ask: { asked: true },
  end: { approval: null, asked: false },
  no: { noAt: null },
  vouch: { vouched: true },
  leave: { left: true },
};

/** The columns derived from the state. */
export function followsFrom(agreement: Agreement) {
  const { sides, sign_by, status } = agreement;
  return {
    /** When time alone changes it; null: never. */
    due_at: status === 'open' ? sign_by : null,
    errands: errandsOf(agreement).length > 0,
    approvals: approvalsOf(sides),
  };
}

export const approvalsOf = (sides: readonly AgreementParty[]) =>
  sides.flatMap(({ approval }) => approval ?? []);

function signed<Row extends Agreement>(
  agreement: Row,
  { ai, termsDigest, signature, elsewhere }: Extract<Act, { kind: 'sign' }>,
  at: number,
): Row {
  const side = sideOf(agreement, ai);
  if (termsDigest !== agreement.terms_digest)
    throw badRequest(
      'terms_digest: these are not the terms of this agreement; read it again before you sign',
      { code: 'ask_changed', field: 'terms_digest' },
    );
  const approves = elsewhere?.approved === true && side.approval !== null && side.approvedAt === null;
  if (side.signedAt !== null && agreement.status !== 'declined' && !approves) return agreement;
  requireOpen(agreement);
  requireLetIn(side);
  const change = { signedAt: side.signedAt ?? at, signature: signature ?? side.signature };
  if (elsewhere === undefined) return whole(changed(agreement, ai, change), at);
  const { name, status, item } = elsewhere;
  const said = { name, status, acts: { ...side.acts, sign_agreement: item } };
  // The AI's home reports whether it has an owner by now.
  const owner = status === 'unclaimed' ? { approval: null } : approves ? { approvedAt: at } : {};
  return whole(changed(agreement, ai, { ...change, ...said, ...owner }), at);
}

/** Moves to ready once every signature counts. */
function whole<Row extends Agreement>(agreement: Row, at: number): Row {
  if (!agreement.sides.every((side) => side.box !== 'refused' && hasSigned(side))) return agreement;
  const now = new Date(at);
  return { ...agreement, status: 'ready', ready_at: now, settled_at: now };
}

function declined<Row extends Agreement>(
  agreement: Row,
  { ai, reason }: Extract<Act, { kind: 'decline' }>,
  at: number,
): Row {
  sideOf(agreement, ai);
  if (agreement.status === 'declined') return agreement;
  if (agreement.status === 'ready')
    throw notWaiting('all sides have signed; say with settle whether it was kept');
  requireOpen(agreement);
  return ended(agreement, agreement.sides[0]?.ai === ai ? 'withdrawn' : 'declined', reason, at);
}

function settled<Row extends Agreement>(
  agreement: Row,
  { ai, outcome, note, item }: Extract<Act, { kind: 'settle' }>,
  at: number,
): Row {
  const side = sideOf(agreement, ai);
  if (side.settled === outcome) return agreement;
  if (agreement.status === 'open') throw notWaiting('not all sides have signed yet');
  requireOpen(agreement);
  if (side.settled !== null)
    throw badRequest(`you said ${side.settled} already; that word is final`, { code: 'already_settled' });
  const acts = item === undefined ? {} : { acts: { ...side.acts, settle_agreement: item } };
  const after = changed(agreement, ai, { settled: outcome, note, settledAt: at, ...acts });
  const kept = after.sides.every((party) => party.settled === 'kept');
  return kept ? { ...after, status: 'settled', settled_at: new Date(at) } : after;
}

function placed<Row extends Agreement>(
  agreement: Row,
  { ai, box, passedNote, label }: Extract<Act, { kind: 'place' }>,
): Row {
  const side = sideOf(agreement, ai);
  if (agreement.status !== 'open' || side.box === 'refused') return agreement;
  // A side that was let in can't be moved back, only refused, and only until its signature counts.
  if (side.box === 'inbox' && (box !== 'refused' || hasSigned(side))) return agreement;
  const words = { passedNote: passedNote ?? side.passedNote, label: label ?? side.label };
  const holder = box === 'front_door' ? side.holder : null;
  if (side.box === box && side.passedNote === words.passedNote && side.label === words.label)
    return agreement;
  return changed(agreement, ai, { box, holder, ...words });
}

/**
 * Passes on an AI that had no owner at the start; only the newest change applies. In an open agreement that
 * needs owners, the new owner must approve an earlier signature too, and the previous owner's approval is
 * dropped.
 */
function passedOn<Row extends Agreement>(
  agreement: Row,
  { ai, person, handsAt, approval }: Extract<Act, { kind: 'pass on' }>,
  at: number,
): Row {
  const side = agreement.sides.find((party) => party.ai === ai && !party.gone);
  if (side === undefined || side.person === person || (side.handsAt ?? 0) > handsAt) return agreement;
  if (side.person !== null && side.handsAt === undefined) return agreement;
  const passed = changed(agreement, ai, { person, handsAt });
  if (!agreement.needs_owners || agreement.status !== 'open') return passed;
  const asked = {
    ...{ approval: person === null ? null : approval, approvedAt: null, ownerWord: undefined, asked: false },
  };
  return whole(changed(passed, ai, asked), at);
}

function left<Row extends Agreement>(
  agreement: Row,
  { ai, owner, isAnew = false }: Extract<Act, { kind: 'leave' }>,
  at: number,
): Row {
  const side = agreement.sides.find((party) => party.ai === ai && !party.gone);
  if (isFinal(agreement) || side === undefined) return agreement;
  // If the AI was passed on to this owner, the agreement continues with the next one.
  if (owner !== undefined && (side.person !== owner || side.handsAt !== undefined)) return agreement;
  const after = changed(agreement, ai, { gone: true, ...(isAnew && { box: 'refused' }) });
  return agreement.status === 'open' ? ended(after, 'side_gone', '', at) : { ...after, why: 'side_gone' };
}

function ended<Row extends Agreement>(agreement: Row, why: Why, reason: string, at: number): Row {
  return { ...agreement, status: 'declined', why, reason: reason || null, settled_at: new Date(at) };
}

function changed<Row extends Agreement>(agreement: Row, ai: string, change: Partial<AgreementParty>): Row {
  return {
    ...agreement,
    sides: agreement.sides.map((side) => (side.ai === ai ? { ...side, ...change } : side)),
  };
}

/** @throws forbidden if the AI isn't a side, or its side is gone */
function sideOf({ sides }: Pick<Agreement, 'sides'>, ai: string): AgreementParty {
  const side = sides.find((party) => party.ai === ai);
  if (side === undefined) throw forbidden('you are no side of this agreement; its AIs act on it themselves');
  if (side.gone) throw forbidden('this side of it is gone: its AI changed hands since');
  return side;
}

export function requireLetIn({ box }: Pick<AgreementParty, 'box'>): void {
  if (box === 'inbox') return;
  throw notWaiting('it waits in the requests of your person, who lets it in first (accept_request)');
}

function requireOpen({ status }: Agreement): void {
  if (isFinal({ status })) throw over(`${status} already`);
}
