import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** A public number, but the virtual machine's host as seen from inside it (Azure). */
const azureHost = '168.63.129.16';
const nat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * Whether an IP address is on the public internet. IANA's special-purpose ranges are not (loopback, private,
 * link-local, CGNAT, multicast, documentation, benchmarks, reserved, IPv4-mapped, 6to4, Teredo, unique
 * local), nor is an address with a zone, or the one at which Azure serves its machines. An address with
 * NAT64's well-known prefix counts as its IPv4 address, so that a home on an IPv6-only network can reach
 * IPv4-only hosts.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && text !== azureHost;
  if (address.match(nat64)) return isPublicAddress(address.toByteArray().slice(12).join('.'));
  return address.match(globalUnicast) && address.range() === 'unicast';
}
