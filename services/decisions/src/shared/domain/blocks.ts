/**
 * Whether a block is of someone of another home: that of a home is one of all there, and that of a person one of their AIs.
 *
 * @param address with its home
 * @param target an address of another home, or @home
 */
export function isBlockedThere(address: string, target: string): boolean {
  const [local = '', home = ''] = address.split('@');
  const [person] = local.split('.ai-');
  return [address, `@${home}`, `${person}@${home}`].includes(target);
}
