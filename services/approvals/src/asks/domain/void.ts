/**
 * Why a yes is void when it is signed: its group is archived, the asker is gone, or no one who said yes still
 * has the right to.
 */
export type Void = 'archived' | 'asker_gone' | 'no_say';

/** The state when a yes with a follow-up is signed. */
export interface AtSigning {
  isArchived: boolean;
  isAskerGone: boolean;
  /** For each yes: whether that person or AI could still give it. */
  maySay: readonly boolean[];
}

/** Null if the yes counts. One valid yes is enough. */
export function voidOf({ isArchived, isAskerGone, maySay }: AtSigning): Void | null {
  if (isArchived) return 'archived';
  if (isAskerGone) return 'asker_gone';
  return maySay.length > 0 && !maySay.includes(true) ? 'no_say' : null;
}
