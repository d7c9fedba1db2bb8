import { Resolver as DnsResolver, lookup } from 'node:dns/promises';

/** Resolves a host to its IP addresses; rejects if there are none. */
export interface Resolver {
  resolve(hostname: string): Promise<string[]>;
}

const noSuchName: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Whether a lookup failed because the name does not exist; any other failure may be transient. */
export function isNoSuchName(error: unknown): boolean {
  return noSuchName.has((error as { code?: unknown } | null)?.code);
}

const askMs = 2_000;
const tries = 2;

/**
 * Queries DNS servers itself, for both address families. The system's lookup would hold a thread of the pool
 * shared with file access and cryptography for as long as a third party's slow name server likes, and it
 * knows names that exist only on this machine or cluster.
 *
 * @param servers the DNS servers (default: the machine's)
 */
export function publicResolver(servers?: readonly string[]): Resolver {
  const dns = new DnsResolver({ timeout: askMs, tries });
  if (servers !== undefined) dns.setServers(servers);
  return {
    async resolve(hostname) {
      const answers = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length > 0) return found;
      const reasons = answers.map((answer) => (answer as PromiseRejectedResult).reason as unknown);
      throw reasons.find((reason) => !isNoSuchName(reason)) ?? reasons[0];
    },
  };
}

/** The machine's resolver with `localhost` and the hosts file, for origins that the operator exempted. */
export const systemResolver: Resolver = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
};
