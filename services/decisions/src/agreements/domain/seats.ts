import type { Seat } from '../../shared/db/seats.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { type AgreementParty, waitsFor, waitsForOwner } from './agreement.ts';

/** The AIs and their owners; for a side whose agreement waits in a request list, the readers of that list. */
export function seatsOf(row: Seated): Seat[] {
  const seats = new Map<string, boolean>();
  // Remote sides act on local agreements, so they have seats there; their own home shows them everything
  // else.
  for (const side of row.reference === undefined ? row.sides : row.sides.filter(isHere))
    for (const { viewer, waiting } of seatsOfSide(row, side))
      seats.set(viewer, waiting || (seats.get(viewer) ?? false));
  return [...seats].map(([viewer, waiting]) => ({ viewer, waiting }));
}

/** uuids of the local viewers. */
export function viewersHere(row: Seated): string[] {
  return seatsOf({ ...row, sides: row.sides.filter(isHere) }).map(({ viewer }) => viewer);
}

type Seated = Pick<AgreementRow, 'reference' | 'status' | 'sides'>;

const isHere = ({ home }: AgreementParty) => home === undefined;

function seatsOfSide(row: Seated, side: AgreementParty): Seat[] {
  const { ai, person, box, holder, gone } = side;
  if (box === 'refused') return [];
  const first = box === 'front_door' ? holder : ai;
  const owner = { viewer: person, waiting: waitsForOwner(row, side) };
  // An AI that changed hands no longer sees the agreement; its owner at the time does.
  const seats = gone ? [owner] : [{ viewer: first, waiting: waitsFor(row, side) }, owner];
  return seats.flatMap(({ viewer, waiting }) => (viewer === null ? [] : [{ viewer, waiting }]));
}
