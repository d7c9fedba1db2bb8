const label = '(?!-)[a-z0-9-]{1,63}(?<!-)';
const dnsName = new RegExp(`^${label}(\\.${label})*$`);
const publicName = new RegExp(`^${label}(\\.${label})+$`);

/** Top-level names that never resolve on the internet (RFC 6761). */
const reservedTopLevel = /(^|\.)(localhost|test|example|invalid)$/;

/** `<DNS name>` or `<DNS name>:<port>`, lower-case: what a home may be called in development. */
export function isHomeNameWithPort(name: string): boolean {
  const [host = '', port, ...rest] = name.split(':');
  if (rest.length > 0 || host.length > 253 || !dnsName.test(host)) return false;
  return port === undefined || (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535);
}

/** `localhost`, with or without a port: a home that only its own machine reaches by its name. */
export function isLocalhostName(name: string): boolean {
  return name === 'localhost' || (name.startsWith('localhost:') && isHomeNameWithPort(name));
}

/**
 * A name that other homes take without having been told to: at least two labels, no port, not an IP
 * address, and not of a reserved top-level name (docs/protocol/addresses.md).
 */
export function isPublicHomeName(name: string): boolean {
  const isAddress = /\.\d+$/.test(name);
  return name.length <= 253 && publicName.test(name) && !isAddress && !reservedTopLevel.test(name);
}
