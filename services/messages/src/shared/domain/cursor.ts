import { badField } from '@hearth/errors';

/** A place in a mailbox: "before 17" goes on towards older messages, "after 17" towards newer ones. */
export interface Place {
  direction: 'before' | 'after';
  seq: number;
}

export function printCursor({ direction, seq }: Place): string {
  return Buffer.from(`${direction === 'before' ? 'b' : 'a'}${seq}`).toString('base64url');
}

/** @throws bad_field for what is not a cursor of this home */
export function parseCursor(text: string): Place {
  const match = /^([ab])(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString());
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return { direction: match[1] === 'b' ? 'before' : 'after', seq: Number(match[2]) };
}

/** A place in a list that is in order of time: of what waits at a front door. */
export interface Moment {
  at: Date;
  id: string;
}

export function printMoment({ at, id }: Moment): string {
  return Buffer.from(`t${at.getTime()},${id}`).toString('base64url');
}

/** @throws bad_field for what is not a cursor of such a list */
export function parseMoment(text: string): Moment {
  const match = /^t(\d{1,15}),([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(text, 'base64url').toString(),
  );
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return { at: new Date(Number(match[1])), id: match[2] as string };
}
