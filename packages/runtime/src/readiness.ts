import type { HomeContext, Hosts } from './host.ts';

export interface Readiness {
  ok: boolean;
  /** What keeps this process from serving, in words for an operator. */
  reasons: string[];
}

const peerTimeoutMs = 1_000;

/** Whether this process can serve: its database and bus answer, its peers are there, its own checks pass. */
export function createReadiness(
  context: HomeContext,
  hosts: Hosts,
): { check(): Promise<Readiness>; goDown(): void } {
  let down = false;

  async function reasonOf(name: string, check: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await check();
      return undefined;
    } catch (error) {
      return `${name}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  async function checkBus(): Promise<void> {
    const health = context.bus.health();
    if (!health.ok) throw new Error(health.reason ?? 'not connected');
  }

  return {
    goDown() {
      down = true;
    },
    async check() {
      if (down) return { ok: false, reasons: ['the home is stopping'] };
      const reasons = await Promise.all([
        reasonOf('database', () => context.database.check()),
        reasonOf('bus', checkBus),
        ...[...hosts.checks].map(([name, check]) => reasonOf(name, check)),
        ...[...hosts.peers].map(([name, channel]) => reasonOf(name, () => channel.ready(peerTimeoutMs))),
      ]);
      const found = reasons.filter((reason) => reason !== undefined);
      return { ok: found.length === 0, reasons: found };
    },
  };
}
