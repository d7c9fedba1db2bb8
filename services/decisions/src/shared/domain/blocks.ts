import { homesAbove } from '@hearth/addresses';

/** A block as in its event. */
interface Block {
  /** An address, or @home. */
  target: string;
  /** uuid of a local party; '' for a remote one. */
  targetId: string;
}

/**
 * Whether the block covers the party. Blocking a person covers their AIs; blocking a home covers it and its
 * subdomains.
 */
export function isBlocked(
  { id, person, address, home }: { id: string; person: string | null; address: string; home?: string },
  { target, targetId }: Block,
): boolean {
  if (home === undefined) return id === targetId || person === targetId;
  const [local = ''] = address.split('@');
  const [owner] = local.split('.ai-');
  const homes = homesAbove(home).map((above) => `@${above}`);
  return targetId === '' && [address, `${owner}@${home}`, ...homes].includes(target);
}
