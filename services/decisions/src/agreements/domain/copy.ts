import type { AgreementRow } from '../db/agreements.ts';
import { type Errand, isFinal, type OwnSignature, type Side } from './agreement.ts';
import { next, type SideAct } from './machine.ts';

/** An agreement of another home. */
export interface CopiedAgreement extends AgreementRow {
  reference: string;
}

/** An act about a side of this home. */
export type CopyAct =
  | SideAct
  /** Its AI signs with a key of its own, which goes to the home of the agreement with the word of its person too. */
  | { kind: 'own key'; ai: string; signature: OwnSignature };

/** The agreement as this home keeps it after an act, by the rules of its own agreements; the same object where the act changes nothing. */
export function nextCopy(row: CopiedAgreement, act: CopyAct, at: number): CopiedAgreement {
  const sides = sidesAfter(row, act, at);
  return JSON.stringify(sides) === JSON.stringify(row.sides) ? row : { ...row, sides };
}

function sidesAfter(row: CopiedAgreement, act: CopyAct, at: number): readonly Side[] {
  if (act.kind !== 'decline' && act.kind !== 'own key') return next(row, act, at).sides;
  const change = (side: Side) => (act.kind === 'own key' ? { signature: act.signature } : noOf(side));
  return row.sides.map((side) =>
    side.ai === act.ai && side.home === undefined ? { ...side, ...change(side) } : side,
  );

  /** The no of a person goes to the home of the agreement. Their side sees no more of one that waited in a list. */
  function noOf({ box }: Side): Partial<Side> {
    if (act.kind !== 'decline' || row.status !== 'open' || box === 'refused') return {};
    const no = { noAt: at, noWords: act.reason };
    return box === 'inbox' ? { ...no, approval: null } : { ...no, box: 'refused', holder: null };
  }
}

/** An errand for a side of this home, and when it is due: the question to its person, its end, and the acts that follow. */
export interface CopyErrand extends Errand {
  at: number;
}

export function copyErrandsOf(row: Pick<CopiedAgreement, 'status' | 'sides'>): CopyErrand[] {
  const open = row.status === 'open';
  return row.sides
    .filter(({ home }) => home === undefined)
    .flatMap((side): CopyErrand[] => {
      const { approval, approvedAt, asked, box, gone, left, noAt, signedAt, vouched } = side;
      const errands: CopyErrand[] = [];
      const due = (kind: CopyErrand['kind'], at = 0) => errands.push({ kind, side, at });
      const ended = row.status === 'declined' || box === 'refused' || gone;
      const waits = approval !== null && approvedAt === null;
      if (waits && !asked && !ended && open && box === 'inbox') due('ask');
      if (waits && asked && ended) due('end');
      if (open && noAt !== undefined && noAt !== null) due('no', noAt);
      if (open && approvedAt !== null && signedAt !== null && vouched !== true) due('vouch');
      if (gone && left !== true && !isFinal(row) && box === 'inbox') due('leave');
      return errands;
    });
}
