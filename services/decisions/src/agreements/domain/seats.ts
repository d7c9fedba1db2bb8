import type { Seat } from '../../shared/db/seats.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { type AgreementParty, waitsFor, waitsForOwner } from './agreement.ts';

/** Its AIs and their people; for a side at which it waits in a list, those who read that list. */
export function seatsOf(row: Seated): Seat[] {
  const seats = new Map<string, boolean>();
  // Sides of other homes act on what is of this one; of what is of another one that home tells them.
  for (const side of row.reference === undefined ? row.sides : row.sides.filter(isHere))
    for (const { viewer, waiting } of seatsOfSide(row, side))
      seats.set(viewer, waiting || (seats.get(viewer) ?? false));
  return [...seats].map(([viewer, waiting]) => ({ viewer, waiting }));
}

/** uuids of those of this home who see it. */
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
  // An AI that changed hands sees no more of it; who owned it then does.
  const seats = gone ? [owner] : [{ viewer: first, waiting: waitsFor(row, side) }, owner];
  return seats.flatMap(({ viewer, waiting }) => (viewer === null ? [] : [{ viewer, waiting }]));
}
