import { homesAbove } from '@hearth/addresses';

/** A block, as its event has it. */
interface Block {
  /** An address, or @home. */
  target: string;
  /** uuid of a party of this home; '' for one of another. */
  targetId: string;
}

/** Whether a block is of that party: one of a person is of their AIs too, and one of another home of all there and below it. */
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
