import { BlockList, isIP } from 'node:net';

const label = '(?!-)[a-z0-9-]{1,63}(?<!-)';
const dnsName = new RegExp(`^${label}(\\.${label})*$`);
const publicName = new RegExp(`^${label}(\\.${label})+$`);

/** Top-level names that never resolve on the internet (RFC 6761). */
const reservedTopLevel = /(^|\.)(localhost|test|example|invalid)$/;

/** Whether a name is `<DNS name>` or `<DNS name>:<port>` in lower case, as homes in development are called. */
export function isHomeNameWithPort(name: string): boolean {
  const [host = '', port, ...rest] = name.split(':');
  if (rest.length > 0 || host.length > 253 || !dnsName.test(host)) return false;
  return port === undefined || (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535);
}

/** Whether a name is `localhost`, with or without a port: a home that only its own machine can reach. */
export function isLocalhostName(name: string): boolean {
  return name === 'localhost' || (name.startsWith('localhost:') && isHomeNameWithPort(name));
}

/**
 * Whether other homes accept the name without being configured to: at least two labels, no port, not an IP address, and
 * not under a reserved top-level name (docs/protocol/addresses.md).
 */
export function isPublicHomeName(name: string): boolean {
  const isAddress = /\.\d+$/.test(name);
  return name.length <= 253 && publicName.test(name) && !isAddress && !reservedTopLevel.test(name);
}

const inside = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(network, bits, 'ipv4');
}
inside.addAddress('::1', 'ipv6');
inside.addSubnet('fc00::', 7, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');

/** Top-level names of private networks. */
const insideTopLevel = /\.(local|lan|internal|home\.arpa)$/;

/** Whether the site's host is this machine or in a private network, by its name or address. */
export function isLocalSite(siteUrl: string): boolean {
  const host = new URL(siteUrl).hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family === 0
    ? !isPublicHomeName(host) || insideTopLevel.test(host)
    : inside.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
