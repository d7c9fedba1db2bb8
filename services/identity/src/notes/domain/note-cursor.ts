import { badField } from '@hearth/errors';
import type { Cursor } from '@hearth/paging';

/** A note's place in a list, newest first: two of the same time are told apart by their ids. */
export interface NotePlace {
  at: Date;
  /** uuid */
  id: string;
}

const shape = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Its parts are set apart by a full stop, as in the cursors that clients hold. */
export const noteCursor: Cursor<NotePlace> = {
  print: ({ at, id }) => Buffer.from(`${at.getTime()}.${id}`).toString('base64url'),
  read(text) {
    const [, milliseconds, id] = shape.exec(Buffer.from(text, 'base64url').toString()) ?? [];
    const at = new Date(Number(milliseconds));
    if (id === undefined || Number.isNaN(at.getTime()))
      throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
    return { at, id };
  },
};
