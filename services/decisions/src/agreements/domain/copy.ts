import type { AgreementRow } from '../db/agreements.ts';
import type { AgreementParty, OwnSignature } from './agreement.ts';
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

function sidesAfter(row: CopiedAgreement, act: CopyAct, at: number): readonly AgreementParty[] {
  if (act.kind !== 'decline' && act.kind !== 'own key') return next(row, act, at).sides;
  const change = (side: AgreementParty) =>
    act.kind === 'own key' ? { signature: act.signature } : noOf(side);
  return row.sides.map((side) =>
    side.ai === act.ai && side.home === undefined ? { ...side, ...change(side) } : side,
  );

  /** The no of a person goes to the home of the agreement. Their side sees no more of one that waited in a list. */
  function noOf({ box }: AgreementParty): Partial<AgreementParty> {
    if (act.kind !== 'decline' || row.status !== 'open' || box === 'refused') return {};
    const no = { noAt: at, noWords: act.reason };
    return box === 'inbox' ? { ...no, approval: null } : { ...no, box: 'refused', holder: null };
  }
}
