import { isIP } from 'node:net';

const yearSeconds = 31_536_000;

/**
 * The value of Strict-Transport-Security for a site: browsers go there by https alone from then on. Undefined for a site
 * that is not https, and for one at a port of its own, as it would count for whatever else is at that host.
 */
export function strictTransport(siteUrl: string): string | undefined {
  const { protocol, port, hostname } = new URL(siteUrl);
  const plain = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:' || port !== '' || isIP(plain) !== 0 || plain === 'localhost') return undefined;
  return `max-age=${yearSeconds}`;
}
