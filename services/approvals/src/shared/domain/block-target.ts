import {
  asHomeName,
  asReference,
  asTyped,
  type HomeNames,
  isHomeName,
  parseAddress,
  printAddress,
} from '@hearth/addresses';
import { badField } from '@hearth/errors';

/** The target of a block: an address of this home (`home` is null) or of another home, or a whole home. */
export type BlockTarget =
  | { address: string; home: null }
  | { address: string; home: string }
  | { address: null; home: string };

/** A whole home, as the target of a block. */
export function homeOfTarget(home: string): string {
  return `@${home}`;
}

/**
 * The address or @home that a caller gave as `target`, in any spelling.
 *
 * @throws bad_field for any other text, and for this home itself
 */
export function readBlockTarget(given: string, homeNames: HomeNames): BlockTarget {
  const text = asReference(given);
  const address = parseAddress(text, homeNames);
  if (address !== null) {
    if (address.kind === 'group')
      throw badField('target', 'a group cannot be blocked; leave it, or block somebody in it');
    const printed = printAddress(address);
    return address.home === undefined
      ? { address: printed, home: null }
      : { address: printed, home: address.home };
  }
  const home = asTyped(text).startsWith('@') ? asHomeName(text) : '';
  if (home === homeNames.ownHome)
    throw badField('target', 'is this home; block somebody of it by their address');
  if (isHomeName(home, homeNames)) return { address: null, home };
  throw badField('target', 'must be an address such as @handle or handle@home, or a whole home as @home');
}

/** The address of a remote AI's person, who is blocked with it; null if the AI has none. */
export function personOfAi(senderAddress: string, homeNames: HomeNames): string | null {
  const address = parseAddress(senderAddress, homeNames);
  if (address?.kind !== 'ai' || address.ofGroup) return null;
  const { handle, home } = address;
  return printAddress({ kind: 'person', handle, ...(home !== undefined && { home }) });
}
