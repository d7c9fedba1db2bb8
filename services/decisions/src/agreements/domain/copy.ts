import type { AgreementRow } from '../db/agreements.ts';
import type { AgreementParty, OwnSignature } from './agreement.ts';
import { next, type SideAct } from './machine.ts';

/** The copy of a remote agreement. */
export interface CopiedAgreement extends AgreementRow {
  reference: string;
}

/** An act on a local side. */
export type CopyAct =
  | SideAct
  /** The AI signs with its own key; the signature is sent again with its owner's approval. */
  | { kind: 'own key'; ai: string; signature: OwnSignature };

/** The copy after an act, by the rules for local agreements; the same object if nothing changes. */
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

  /** A person's decline is sent to the agreement's home. If it waited in a request list, the side no longer sees it. */
  function noOf({ box }: AgreementParty): Partial<AgreementParty> {
    if (act.kind !== 'decline' || row.status !== 'open' || box === 'refused') return {};
    const no = { noAt: at, noWords: act.reason };
    return box === 'inbox' ? { ...no, approval: null } : { ...no, box: 'refused', holder: null };
  }
}
