import { badField } from '@hearth/errors';
import type { Cursor } from '@hearth/paging';

/** A place in a mailbox: "before 17" continues with older messages, "after 17" with newer ones. */
export interface MailboxPlace {
  direction: 'before' | 'after';
  seq: number;
}

export const mailboxCursor: Cursor<MailboxPlace> = {
  print: ({ direction, seq }) =>
    Buffer.from(`${direction === 'before' ? 'b' : 'a'}${seq}`).toString('base64url'),
  read(text) {
    const match = /^([ab])(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString());
    if (match === null)
      throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
    const [, direction, seq] = match;
    return { direction: direction === 'b' ? 'before' : 'after', seq: Number(seq) };
  },
};

/** For lists that only continue with older entries. */
export const olderCursor: Cursor<number> = {
  print: (seq) => mailboxCursor.print({ direction: 'before', seq }),
  read(text) {
    const { direction, seq } = mailboxCursor.read(text);
    if (direction !== 'before') throw badField('cursor', 'belongs to another list');
    return seq;
  },
};
