import { setTimeout as sleep } from 'node:timers/promises';
import { signUpAi, type TestAi } from '@hearth/testkit/home';
import { patienceMs } from '@hearth/testkit/patience';
import { expect } from '@jest/globals';
import { attempt } from './attempt.ts';
import { readLog } from './event-log.ts';
import { writeReport } from './report.ts';
import { startTraffic, type Traffic } from './traffic.ts';
import { judge, type SeenMessage, type Verdict } from './verdict.ts';

export interface CheckerOptions {
  /** Names the experiment and its file under test-results/faults. */
  experiment: string;
  urls: readonly string[];
  /** How many AIs write to each other (default 6: twelve conversations). */
  ais?: number;
  /** Milliseconds between two sends of one conversation (default 150). */
  everyMs?: number;
  /** Seconds for which receivers wait in one poll (default 5). */
  waitSeconds?: number;
}

export interface Fault {
  what: string;
  /** Does the damage; its result is ignored. */
  inject(): Promise<unknown> | unknown;
  /** How long the damage lasts before it is healed, in milliseconds (default 0). */
  lastsMs?: number;
  /** Restores what was taken away; absent if the home should heal by itself. */
  heal?(): Promise<unknown> | unknown;
  /** How long the home may take until every client is served again, in milliseconds (default `patienceMs`). */
  withinMs?: number;
}

interface FaultRecord {
  what: string;
  /** From the damage to the healing. */
  lastedMs: number;
  /** Milliseconds since the traffic began. */
  atMs: number;
  /** From the healing until the traffic of every conversation and receiver flowed again. */
  recoveryMs: number;
  /** The longest time without any accepted send, from the damage to the recovery. */
  longestSilenceMs: number;
  /** Requests that were clearly refused meanwhile, and retried. */
  refused: number;
}

export interface Checker {
  readonly ais: readonly TestAi[];
  readonly traffic: Traffic;
  /** Damages, waits, heals and measures the recovery; throws if it takes too long. */
  fault(fault: Fault): Promise<FaultRecord>;
  /** Resolves once sends that began after that moment were accepted and seen in every conversation. */
  recovered(since: number, withinMs: number): Promise<number>;
  /** Stops the traffic, drains, judges, writes the report, and fails the test if a promise was broken. */
  finish(end?: End): Promise<Verdict>;
}

const running = new Set<Traffic>();

/** For afterAll: a failed test leaves no traffic behind. */
export function endTraffic(): void {
  for (const traffic of running) traffic.end();
  running.clear();
}

export interface End {
  /** The database, to check that delivery logged every message once. */
  databaseUrl?: string;
  /** Ids of messages that were stored besides the traffic. */
  besides?: readonly string[];
  /** Further fields of the report. */
  found?: Record<string, unknown>;
}

/** Puts a home under steady traffic, and finally judges whether it kept what it acknowledged. */
export async function startChecker(options: CheckerOptions): Promise<Checker> {
  const { experiment, urls, everyMs = 150, waitSeconds = 5 } = options;
  const ais: TestAi[] = [];
  for (let n = 1; n <= (options.ais ?? 6); n += 1) ais.push(await signUpAi(urls, { name: `Robin ${n}` }));
  const run = `${experiment.slice(0, 2)}-${process.pid}-${Math.round(performance.now())}`;
  const began = performance.now();
  const traffic = startTraffic({ urls, ais, run, everyMs, waitSeconds });
  running.add(traffic);
  const faults: FaultRecord[] = [];

  function flowsSince(since: number): boolean {
    return [...traffic.taken.values()].every((entries) =>
      entries.findLast(({ startedAt, deliveredAt }) => startedAt >= since && deliveredAt !== undefined),
    );
  }

  async function recovered(since: number, withinMs: number): Promise<number> {
    while (!flowsSince(since)) {
      if (performance.now() - since > withinMs) {
        const { refusals, unclear, hung } = traffic.troubles;
        throw new Error(
          `no recovery within ${withinMs} ms: ${JSON.stringify({ refusals, unclear: unclear.slice(-3), hung: hung.slice(-3) })}`,
        );
      }
      await sleep(10);
    }
    return Math.round(performance.now() - since);
  }

  function longestSilence(from: number): number {
    const times = [...traffic.taken.values()].flat().map(({ takenAt }) => takenAt);
    const within = [from, ...times.filter((time) => time > from).sort((a, b) => a - b), performance.now()];
    return Math.round(Math.max(...within.slice(1).map((time, index) => time - within[index]!)));
  }

  await recovered(began, patienceMs);
  return {
    ais,
    traffic,
    recovered,
    async fault({ what, inject, lastsMs = 0, heal, withinMs = patienceMs }) {
      const damagedAt = performance.now();
      const refusedBefore = countRefused(traffic);
      await inject();
      await sleep(lastsMs);
      const healedAt = performance.now();
      await heal?.();
      const recoveryMs = await recovered(healedAt, withinMs);
      const record = {
        what,
        lastedMs: Math.round(healedAt - damagedAt),
        atMs: Math.round(damagedAt - began),
        recoveryMs,
        longestSilenceMs: longestSilence(damagedAt),
        refused: countRefused(traffic) - refusedBefore,
      };
      faults.push(record);
      return record;
    },
    async finish({ databaseUrl, besides = [], found = {} } = {}) {
      const wentQuiet = await traffic.quiet(patienceMs);
      await traffic.drain(patienceMs);
      const verdict = judge(traffic.sent, traffic.seen);
      const listed = await Promise.all(ais.map((ai) => listMailbox(urls, ai)));
      const listedVerdict = judge(traffic.sent, listed.flat());
      const { sent, troubles, slowest } = traffic;
      const ids = sent.flatMap(({ acknowledged }) => acknowledged?.id ?? []);
      const log = databaseUrl === undefined ? undefined : await readLog(databaseUrl, [...ids, ...besides]);
      writeReport(experiment, {
        seconds: Math.round((performance.now() - began) / 1_000),
        ...verdict,
        listed: listedVerdict,
        ...troubles,
        slowest,
        faults,
        log,
        ...found,
      });
      const clean = { lost: [], unexpected: [], duplicates: [], orderViolations: [] };
      expect(wentQuiet).toBe(true);
      expect(verdict).toMatchObject(clean);
      // The list afterwards contains the messages that were seen at the time.
      expect(listedVerdict).toMatchObject({ ...clean, delivered: verdict.delivered });
      expect(troubles).toMatchObject({ unclear: [], hung: [] });
      if (log !== undefined) expect(log).toMatchObject({ missing: [], tooMany: [] });
      return verdict;
    },
  };
}

function countRefused({ troubles }: Traffic): number {
  return Object.values(troubles.refusals).reduce((sum, count) => sum + count, 0);
}

/** Everything that an AI received, oldest first, from the pages of its mailbox. */
async function listMailbox(urls: readonly string[], ai: TestAi): Promise<SeenMessage[]> {
  const found: SeenMessage[] = [];
  let cursor: string | null = null;
  do {
    const path = `/v0/messages?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page = await attempt({ url: urls[0]!, path, key: ai.key, withinMs: 10_000 });
    if (page.kind !== 'answer' || page.status !== 200)
      throw new Error(`the mailbox of ${ai.address} cannot be listed: ${JSON.stringify(page)}`);
    for (const { id, thread, text } of page.body['messages'])
      found.push({ recipient: ai.address, id, thread, text });
    cursor = page.body['next_cursor'] ?? null;
  } while (cursor !== null);
  return found.reverse();
}
