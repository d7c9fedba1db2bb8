import { isIP } from 'node:net';

const yearSeconds = 31_536_000;

/**
 * The value of Strict-Transport-Security, with which browsers use only https for the site. Undefined without
 * https, and at a port of its own, because it would apply to everything else at that host.
 */
export function strictTransport(siteUrl: string): string | undefined {
  const { protocol, port, hostname } = new URL(siteUrl);
  const plain = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:' || port !== '' || isIP(plain) !== 0 || plain === 'localhost') return undefined;
  return `max-age=${yearSeconds}`;
}
