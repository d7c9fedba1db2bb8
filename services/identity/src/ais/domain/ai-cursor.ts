import { badField } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';

/** A place in a list of AIs. Ids are in the order of time. */
export const aiCursor = {
  print: (id: string) => Buffer.from(printId('ai', id)).toString('base64url'),
  read(text: string): string {
    const id = parseId('ai', Buffer.from(text, 'base64url').toString());
    if (id === null)
      throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
    return id;
  },
};
