import type { HomeContext, Hosts } from './host.ts';

export interface Readiness {
  ok: boolean;
  /** Why this process cannot serve, worded for operators. */
  reasons: string[];
}

const stopping: Readiness = { ok: false, reasons: ['the home is stopping'] };
const peerTimeoutMs = 1_000;
/** Callers wait a few seconds at most; a dependency that hangs is reported as not answering. */
const checkTimeoutMs = 2_000;
/** Anyone may ask, so a home's dependencies are checked at most once in that many milliseconds. */
const keptMs = 200;

/** Whether this process can serve: its database and bus answer, its peers are reachable, its own checks pass. */
export function createReadiness(
  context: HomeContext,
  hosts: Hosts,
): {
  check(): Promise<Readiness>;
  /** `check` without the peers: if two asked each other, neither would finish. */
  checkAlone(): Promise<Readiness>;
  goDown(): void;
} {
  let down = false;
  let kept: { readiness: Promise<Readiness>; until: number } | undefined;

  const inHand = new Map<string, Promise<unknown>>();

  /**
   * A check that finds an earlier one in progress waits for that, so that none pile up behind a dependency that hangs.
   */
  function shared(name: string, check: () => Promise<unknown>): Promise<unknown> {
    const known = inHand.get(name);
    if (known !== undefined) return known;
    const mine = check().finally(() => inHand.delete(name));
    inHand.set(name, mine);
    return mine;
  }

  async function reasonOf(name: string, check: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await within(checkTimeoutMs, shared(name, check));
      return undefined;
    } catch (error) {
      return `${name}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  async function checkBus(): Promise<void> {
    const health = context.bus.health();
    if (!health.ok) throw new Error(health.reason ?? 'not connected');
  }

  const own = () => [
    reasonOf('database', () => context.database.check()),
    reasonOf('bus', checkBus),
    ...[...hosts.checks].map(([name, check]) => reasonOf(name, check)),
  ];
  const peers = () =>
    [...hosts.peers].map(([name, channel]) => reasonOf(name, () => channel.ready(peerTimeoutMs)));

  async function look(asked: readonly Promise<string | undefined>[]): Promise<Readiness> {
    const reasons = await Promise.all(asked);
    const found = reasons.filter((reason) => reason !== undefined);
    return { ok: found.length === 0, reasons: found };
  }

  /** The check in progress, or the one that has just ended. */
  function lookOnce(): Promise<Readiness> {
    if (kept !== undefined && performance.now() < kept.until) return kept.readiness;
    const looked = { readiness: look([...own(), ...peers()]), until: Number.POSITIVE_INFINITY };
    void looked.readiness.finally(() => {
      looked.until = performance.now() + keptMs;
    });
    kept = looked;
    return looked.readiness;
  }

  return {
    goDown() {
      down = true;
    },
    check: async () => (down ? stopping : await lookOnce()),
    checkAlone: async () => (down ? stopping : await look(own())),
  };
}

function within(milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${milliseconds / 1_000} s`)),
    milliseconds,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
