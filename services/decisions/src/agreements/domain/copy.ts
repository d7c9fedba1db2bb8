import type { AgreementRow } from '../db/agreements.ts';
import { isFinal, type Side } from './agreement.ts';

/** A side of an agreement of another home, as far as this home adds to what that one says. */
export interface CopySide extends Side {
  /** When a no of a rule, or of the person, goes to the home of the agreement. */
  noAt?: number | null;
  /** The words of the no. */
  noWords?: string;
  /** That home knows that its person approved. */
  vouched?: boolean;
  /** That home knows that it is gone. */
  left?: boolean;
}

/** An agreement of another home. */
export interface CopiedAgreement extends AgreementRow {
  reference: string;
  sides: readonly CopySide[];
}

/** An errand for a side of this home, and when it is due: the question to its person, its end, and the acts that follow. */
export interface CopyErrand {
  kind: 'ask' | 'end' | 'no' | 'vouch' | 'leave';
  side: CopySide;
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

/** The side once an errand was done. */
export function afterErrand(side: CopySide, kind: CopyErrand['kind']): CopySide {
  switch (kind) {
    case 'ask':
      return { ...side, asked: true };
    case 'end':
      return { ...side, approval: null, asked: false };
    case 'no':
      return { ...side, noAt: null };
    case 'vouch':
      return { ...side, vouched: true };
    case 'leave':
      return { ...side, left: true };
  }
}
