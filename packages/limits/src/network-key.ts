import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network that an address belongs to, as limits on callers without a credential count it: /24 for IPv4
 * (mapped into IPv6 too), /56 for IPv6, which one household or server usually holds.
 */
export function networkKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address.split('%')[0]!;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return 'unknown';
  const groups = expand(plain);
  const fourth = (Number.parseInt(groups[3]!, 16) & 0xff00).toString(16);
  return `${[...groups.slice(0, 3), fourth].join(':')}::/56`;
}

/** The eight groups of an IPv6 address without leading zeros. */
function expand(address: string): string[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text =
    dotted === null
      ? address
      : address.slice(0, dotted.index) +
        [0, 2].map((at) => (Number(dotted[at + 1]) * 256 + Number(dotted[at + 2])).toString(16)).join(':');
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}
