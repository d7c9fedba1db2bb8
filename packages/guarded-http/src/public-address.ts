import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** Public by its number, and the host of a virtual machine to what runs on it (Azure). */
const azureHost = '168.63.129.16';
const nat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * Whether an IP address is one of the public internet. Everything of IANA's special-purpose registries is not: loopback,
 * private, link-local, shared (CGNAT), multicast, documentation, benchmarks, reserved, IPv4-mapped, 6to4, Teredo, unique
 * local; nor is an address that carries a zone. One of NAT64's well-known prefix is what its IPv4 address is, so that a
 * home on a network of IPv6 alone reaches those who have IPv4 alone. The address by which Azure serves its machines is not.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && text !== azureHost;
  if (address.match(nat64)) return isPublicAddress(address.toByteArray().slice(12).join('.'));
  return address.match(globalUnicast) && address.range() === 'unicast';
}
