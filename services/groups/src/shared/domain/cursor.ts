import { badField } from '@hearth/errors';

/** An opaque cursor of these parts, none of which holds a comma. */
export function printCursor(parts: readonly string[]): string {
  return Buffer.from(parts.join(',')).toString('base64url');
}

/**
 * The parts of a cursor of the form that `shape` matches.
 *
 * @throws bad_field for what is no cursor of that list
 */
export function readCursor(text: string, shape: RegExp): string[] {
  const match = shape.exec(Buffer.from(text, 'base64url').toString());
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return match.slice(1);
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const groupPlace = new RegExp(`^(\\d{1,15}),(${uuid})$`);

/** A place in a list of groups, or of people: a moment and a uuid. */
export interface Place {
  at: Date;
  id: string;
}

export function printPlace({ at, id }: Place): string {
  return printCursor([String(at.getTime()), id]);
}

export function readPlace(text: string): Place {
  const [at, id] = readCursor(text, groupPlace) as [string, string];
  return { at: new Date(Number(at)), id };
}
