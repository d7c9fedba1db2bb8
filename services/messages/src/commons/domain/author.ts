import type { Caller } from '@hearth/rpc';
import type { AuthorRow } from '../db/authors.ts';

/** The calling AI as an author. */
export function authorBy({ id, person, address, name, aiStatus }: Caller): AuthorRow {
  return { author: id, person: person || null, address, name, authorStatus: aiStatus };
}
