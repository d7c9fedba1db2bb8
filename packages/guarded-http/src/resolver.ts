import { Resolver as DnsResolver, lookup } from 'node:dns/promises';

/** Finds the IP addresses of a host. Rejects when there are none. */
export interface Resolver {
  resolve(hostname: string): Promise<string[]>;
}

const noSuchName: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Whether a look-up failed because the name is nowhere; otherwise it may succeed later. */
export function isNoSuchName(error: unknown): boolean {
  return noSuchName.has((error as { code?: unknown } | null)?.code);
}

const askMs = 2_000;
const tries = 2;

/**
 * Asks the DNS servers itself, for both kinds of address. The system's look-up would take a thread of the pool that
 * files and cryptography share, for as long as a slow name server of another party likes; and it knows names that only
 * this machine or cluster has.
 *
 * @param servers the DNS servers to ask (default: those that the machine asks)
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

/** As the machine resolves it, `localhost` and the hosts file included: for origins that the operator exempted. */
export const systemResolver: Resolver = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
};
