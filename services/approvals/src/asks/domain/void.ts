/**
 * Why a yes counts for nothing at its signing: its group is archived, who asked is gone, or none of those who said it could
 * say it now.
 */
export type Void = 'archived' | 'asker_gone' | 'no_say';

/** The state at the signing of a yes that another service carries out. */
export interface AtSigning {
  isArchived: boolean;
  isAskerGone: boolean;
  /** For each who said yes: whether they could say it now. */
  maySay: readonly boolean[];
}

/** Null for a yes that counts. One who still has a say is enough. */
export function voidOf({ isArchived, isAskerGone, maySay }: AtSigning): Void | null {
  if (isArchived) return 'archived';
  if (isAskerGone) return 'asker_gone';
  return maySay.length > 0 && !maySay.includes(true) ? 'no_say' : null;
}
