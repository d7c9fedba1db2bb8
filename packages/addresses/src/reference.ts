import { parseAddress } from './address.ts';
import { type HomeNameOptions, isHomeName } from './home-name.ts';
import type { HomeNames } from './read-address.ts';

/** An object of another home: `r:<home>:<id>`. */
export interface Reference {
  home: string;
  /** The id that its own home gave it: 1 to 64 of `A-Z a-z 0-9 _ -`. */
  id: string;
}

const idShape = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads a reference, or gives null for what is none. Ids of this home are none: they have no `r:`. */
export function parseReference(text: string, options: HomeNameOptions = {}): Reference | null {
  if (!text.startsWith('r:') || text.length > 400) return null;
  // The home of a development set-up holds a colon itself, an id never does.
  const colon = text.lastIndexOf(':');
  const home = text.slice(2, Math.max(colon, 2));
  const id = text.slice(colon + 1);
  return idShape.test(id) && isHomeName(home, options) ? { home, id } : null;
}

export function printReference(reference: Reference): string {
  return `r:${reference.home}:${reference.id}`;
}

/** The id of a thing of this home, or the reference of one of another home, in its canonical form. */
export function readId(text: string, homeNames: HomeNames): { id: string } | { reference: string } {
  const own = `r:${homeNames.ownHome}:`;
  if (text.startsWith(own)) return { id: text.slice(own.length) };
  const reference = parseReference(text, homeNames);
  return reference === null ? { id: text } : { reference: printReference(reference) };
}

/** The other home that a reference or a full address is of; null for one of this home, and for any other text. */
export function otherHomeIn(text: string, homeNames: HomeNames): string | null {
  const home = (parseReference(text, homeNames) ?? parseAddress(text, homeNames))?.home;
  return home === undefined || home === homeNames.ownHome ? null : home;
}
