import { badField } from '@hearth/errors';

/** A place in a list of blocks. */
export interface BlockPlace {
  at: Date;
  target: string;
}

export function printBlockPlace({ at, target }: BlockPlace): string {
  return Buffer.from(`${at.getTime()},${target}`).toString('base64url');
}

/** @throws bad_field for what is no cursor of such a list */
export function readBlockPlace(text: string): BlockPlace {
  const match = /^(\d{1,15}),([^\0]{1,400})$/.exec(Buffer.from(text, 'base64url').toString());
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return { at: new Date(Number(match[1])), target: match[2] as string };
}
