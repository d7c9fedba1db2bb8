import { isFreeHandle, parseAddress } from '@hearth/addresses';

/** A person or AI of this home as they are now; null: gone. */
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
 * The notice for a home that knew them at an address; null where it holds nothing that is out of date.
 *
 * @param holdsCard it may hold a card of theirs
 */
export function noticeFor(
  { party: id, address: was }: { party: string; address: string },
  present: PresentParty | null,
  holdsCard: boolean,
): Notice | null {
  if (present === null) return { kind: 'gone', address: was, id };
  const { address, ownerPrivate } = present;
  if (address === was) return holdsCard ? { kind: 'card_changed', address, id } : null;
  // The two addresses together would tell whose it is.
  if (ownerPrivate && tellsOwner(was)) return { kind: 'gone', address: was, id };
  return { kind: 'moved', address, was, id };
}

function tellsOwner(full: string): boolean {
  const read = parseAddress(`@${full.slice(0, full.lastIndexOf('@'))}`);
  return read?.kind === 'ai' && read.ofGroup !== true && !isFreeHandle(read.handle);
}
