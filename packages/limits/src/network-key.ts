import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network of an address, for limits on callers without a credential: /24 for IPv4 (and IPv4-mapped IPv6),
 * /56 for IPv6, the usual size of one household or server.
 */
export function networkKey(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const plain = address.split('%')[0]!;
  if (!isIPv6(plain)) return 'unknown';
  const groups = expand(plain);
  if (isMapped(groups)) return `${groups[6]! >> 8}.${groups[6]! & 0xff}.${groups[7]! >> 8}.0/24`;
  const network = [...groups.slice(0, 3), groups[3]! & 0xff00];
  return `${network.map((group) => group.toString(16)).join(':')}::/56`;
}

/** A larger IPv6 network, and the multiple of the smaller one's limit that applies to it. */
export interface WiderNetwork {
  network: string;
  times: number;
}

/** A household has a /56; a /48 with 256 of them is available on request; a provider has a /32. */
export function widerNetworks(key: string): WiderNetwork[] {
  const [, groups] = /^([0-9a-f:]+)::\/56$/.exec(key) ?? [];
  if (groups === undefined) return [];
  const of = (count: number) => groups.split(':').slice(0, count).join(':');
  return [
    { network: `${of(3)}::/48`, times: 8 },
    { network: `${of(2)}::/32`, times: 256 },
  ];
}

/** Whether the address is IPv4-mapped (RFC 4291, 2.5.5.2). */
function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** The eight groups of an IPv6 address. */
function expand(address: string): number[] {
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
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
