import { badField } from '@hearth/errors';
import type { Cursor } from '@hearth/paging';

/** A place in a mailbox: "before 17" goes on towards older messages, "after 17" towards newer ones. */
export interface MailboxPlace {
  direction: 'before' | 'after';
  seq: number;
}

export const mailboxCursor: Cursor<MailboxPlace> = {
  print: ({ direction, seq }) => encode(`${direction === 'before' ? 'b' : 'a'}${seq}`),
  read(text) {
    const [, direction, seq] = decode(text, /^([ab])(\d{1,15})$/);
    return { direction: direction === 'b' ? 'before' : 'after', seq: Number(seq) };
  },
};

/** Lists that only go on towards older entries. */
export const olderCursor: Cursor<number> = {
  print: (seq) => mailboxCursor.print({ direction: 'before', seq }),
  read(text) {
    const { direction, seq } = mailboxCursor.read(text);
    if (direction !== 'before') throw badField('cursor', 'belongs to another list');
    return seq;
  },
};

/** A place at a front door, whose messages come from several mailboxes and are in order of time. */
export const momentCursor: Cursor<{ at: Date; id: string }> = {
  print: ({ at, id }) => encode(`t${at.getTime()},${id}`),
  read(text) {
    const [, at, id] = decode(text, /^t(\d{1,15}),([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/);
    return { at: new Date(Number(at)), id: id as string };
  },
};

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(text: string, form: RegExp): RegExpExecArray {
  const match = form.exec(Buffer.from(text, 'base64url').toString());
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return match;
}
