import { isFreeHandle, parseAddress } from '@hearth/addresses';

/** The current state of a person or AI of this home; null if deleted. */
export interface PresentParty {
  /** With this home's name. */
  address: string;
  /** An AI whose owner keeps their name private. */
  ownerPrivate: boolean;
}

export interface Notice {
  kind: 'card_changed' | 'moved' | 'gone';
  address: string;
  was?: string;
  id: string;
}

/**
 * Returns the notice for a home that knows a party at an address; null if nothing there is outdated.
 *
 * @param holdsCard whether it may hold the party's card
 */
export function noticeFor(
  { party: id, address: was }: { party: string; address: string },
  present: PresentParty | null,
  holdsCard: boolean,
): Notice | null {
  if (present === null) return { kind: 'gone', address: was, id };
  const { address, ownerPrivate } = present;
  if (address === was) return holdsCard ? { kind: 'card_changed', address, id } : null;
  // The two addresses together would reveal the owner.
  if (ownerPrivate && tellsOwner(was)) return { kind: 'gone', address: was, id };
  return { kind: 'moved', address, was, id };
}

function tellsOwner(full: string): boolean {
  const read = parseAddress(`@${full.slice(0, full.lastIndexOf('@'))}`);
  return read?.kind === 'ai' && read.ofGroup !== true && !isFreeHandle(read.handle);
}
