import { badField } from '@hearth/errors';

/** A note's place in a list, newest first: two of the same moment are told apart by their ids. */
export interface NotePlace {
  at: Date;
  /** uuid */
  id: string;
}

const shape = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function printNoteCursor({ at, id }: NotePlace): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString('base64url');
}

/** @throws bad_field for what is no cursor of this list */
export function parseNoteCursor(text: string): NotePlace {
  const [, milliseconds, id] = shape.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const at = new Date(Number(milliseconds));
  if (id === undefined || Number.isNaN(at.getTime()))
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return { at, id };
}
