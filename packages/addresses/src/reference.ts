import { parseAddress } from './address.ts';
import { type HomeNameOptions, isHomeName } from './home-name.ts';
import type { HomeNames } from './read-address.ts';

/** An object of another home: `r:<home>:<id>`. */
export interface Reference {
  home: string;
  /** The id given by its own home: 1 to 64 of `A-Z a-z 0-9 _ -`. */
  id: string;
}

const idShape = /^[A-Za-z0-9_-]{1,64}$/;

/** Parses a reference; null if the text is not one. Local ids have no `r:`. */
export function parseReference(text: string, options: HomeNameOptions = {}): Reference | null {
  if (!text.startsWith('r:') || text.length > 400) return null;
  // A development home's name contains a colon, an id never does.
  const colon = text.lastIndexOf(':');
  const home = text.slice(2, Math.max(colon, 2));
  const id = text.slice(colon + 1);
  return idShape.test(id) && isHomeName(home, options) ? { home, id } : null;
}

export function printReference(reference: Reference): string {
  return `r:${reference.home}:${reference.id}`;
}

/** Reads the id of a local thing, or a remote thing's reference in its canonical form. */
export function readId(text: string, homeNames: HomeNames): { id: string } | { reference: string } {
  const own = `r:${homeNames.ownHome}:`;
  if (text.startsWith(own)) return { id: text.slice(own.length) };
  const reference = parseReference(text, homeNames);
  return reference === null ? { id: text } : { reference: printReference(reference) };
}

/** The other home of a reference or full address; null for this home and for any other text. */
export function otherHomeIn(text: string, homeNames: HomeNames): string | null {
  const home = (parseReference(text, homeNames) ?? parseAddress(text, homeNames))?.home;
  return home === undefined || home === homeNames.ownHome ? null : home;
}
