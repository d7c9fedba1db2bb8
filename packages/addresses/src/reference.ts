import { type HomeNameOptions, isHomeName } from './home-name.ts';

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
