import { isIP } from 'node:net';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

const maxUrlLength = 2_048;

/** Names that only mean something inside a network: a machine's, a cluster's, an office's. */
const insideNames = new Set(
  `alt cluster corp home internal intranet invalid lan local localdomain localhost onion private svc`.split(
    ' ',
  ),
);

/**
 * Ports from 1024 on that browsers refuse too (Fetch, "bad port"), or that belong to data stores and cluster
 * management.
 */
const badPorts = new Set([
  2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080, 3306,
  5432, 5672, 5984, 6379, 9042, 9200, 9300, 11_211, 15_672, 27_017, 2375, 2376, 2377, 2379, 2380, 6443, 8200,
  8500, 8600, 9090, 9100, 10_250, 10_255,
]);

const insideDomain = /(^|\.)(home\.arpa|fritz\.box)$/;

/** The home's own hosts: a call to its own site would only come back. */
export type OwnHosts = ReadonlySet<string>;

export function ownHostsOf({ home, siteUrl }: { home: string; siteUrl: string }): OwnHosts {
  return new Set([home.split(':')[0]!, new URL(siteUrl).hostname]);
}

export interface Target {
  /** Normalized: the host in lowercase and as A-labels. */
  url: URL;
  /** True for an origin that the operator exempted: it needs neither https nor a public address. */
  exempt: boolean;
}

/**
 * Reads a URL that another party chose. It must be https, without user info, at a public host (a DNS name of
 * two labels or more, or a public IP address), on port 443 or a port from 1024 on that belongs to no other
 * protocol. Does not resolve the name. The message of the OutboundError (`refused_address`) says what is
 * wrong.
 */
export function readTarget(
  text: string,
  devOrigins: readonly string[],
  ownHosts: OwnHosts = new Set(),
): Target {
  if (text.length > maxUrlLength) throw refused(`the address is longer than ${maxUrlLength} characters`);
  const url = URL.parse(text);
  if (url === null) throw refused('this is no address; expected one such as https://example.com/hook');
  if (url.username !== '' || url.password !== '')
    throw refused('the address must not hold a user name or password');
  if (devOrigins.includes(url.origin)) return { url, exempt: true };
  if (url.protocol !== 'https:') throw refused('the address must begin with https://');
  checkHost(url.hostname);
  if (ownHosts.has(url.hostname)) throw refused(`${url.hostname} is this home itself`);
  checkPort(url.port);
  return { url, exempt: false };
}

function checkHost(hostname: string): void {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0) {
    if (!isPublicAddress(literal)) throw refused(`${hostname} is not a public address`);
    return;
  }
  const labels = hostname.split('.');
  const wellFormed = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  if (!wellFormed || hostname.length > 253) throw refused('the host of the address is no DNS name');
  if (labels.length < 2 || insideNames.has(labels.at(-1)!) || insideDomain.test(hostname))
    throw refused(`${hostname} is not a public host`);
}

function checkPort(port: string): void {
  if (port === '') return;
  const number = Number(port);
  if (number < 1_024 || badPorts.has(number))
    throw refused(
      `port ${port} is not called; expected 443, or one from 1024 on that no other protocol uses`,
    );
}

export function refused(message: string): OutboundError {
  return new OutboundError('refused_address', message);
}
