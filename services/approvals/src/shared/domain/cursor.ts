import { badField } from '@hearth/errors';

/** A place in a list: when something was asked, and its uuid. */
export interface Place {
  at: Date;
  id: string;
}

const place = /^(\d{1,15}),([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function printPlace({ at, id }: Place): string {
  return Buffer.from(`${at.getTime()},${id}`).toString('base64url');
}

/** @throws bad_field for what is no cursor of such a list */
export function readPlace(text: string): Place {
  const match = place.exec(Buffer.from(text, 'base64url').toString());
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return { at: new Date(Number(match[1])), id: match[2] as string };
}
