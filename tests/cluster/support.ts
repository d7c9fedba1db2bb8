import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClusterHome, homes } from '../../scripts/cluster/homes.ts';
import { root } from '../../scripts/cluster/settings.ts';
import { run } from '../../scripts/tools/run.mjs';
import { attempt, type Body } from '../faults/support/attempt.ts';
import { startTraffic } from '../faults/support/traffic.ts';
import { judge } from '../faults/support/verdict.ts';

export const [homeA, homeB] = homes as readonly [ClusterHome, ClusterHome];
export const services = [
  'gateway',
  'identity',
  'groups',
  'decisions',
  'approvals',
  'messages',
  'federation',
  'delivery',
];

export const kubectl = (home: ClusterHome, ...args: string[]) =>
  run('kubectl', ['-n', home.release, ...args]);
/** Runs a program without blocking this process's traffic; returns its output. */
export async function later(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${said}`);
  return said;
}

export const get = (home: ClusterHome, ...args: string[]) =>
  JSON.parse(kubectl(home, 'get', ...args, '-o', 'json'));

/** The gateway under its Service name, which this machine resolves by a file of the cluster. */
export function urlOf(home: ClusterHome): string {
  const { spec, metadata } = get(home, 'service', `${home.release}-hearth-gateway`);
  return named(`${metadata.name}.${home.release}.svc`, spec.clusterIP);
}

/** One gateway pod, under another name of the home. */
export const urlOfPod = (home: ClusterHome, address: string): string =>
  named(`${home.release}-hearth-gateway`, address);

function named(name: string, address: string): string {
  const known = readFileSync('/etc/hosts', 'utf8').replaceAll(new RegExp(`^.* ${name}\n`, 'gm'), '');
  writeFileSync('/etc/hosts', `${known}${address} ${name}\n`);
  return `http://${name}:8080`;
}

export const deploymentOf = (home: ClusterHome, service: string) =>
  `deployment/${home.release}-hearth-${service}`;

export const podsOf = (home: ClusterHome, service: string) =>
  get(home, 'pods', '-l', `app.kubernetes.io/instance=${home.release},app.kubernetes.io/component=${service}`)
    .items;

/** Waits until every Deployment has exactly the wanted pods. */
export function settled(home: ClusterHome): void {
  for (const service of services)
    kubectl(home, 'rollout', 'status', deploymentOf(home, service), '--timeout=400s');
}

export function must(what: string, holds: boolean, found?: unknown): void {
  if (!holds) throw new Error(`${what}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`);
}

export async function ask(url: string, path: string, key?: string, body?: object): Promise<Body> {
  const outcome = await attempt({
    url,
    path,
    key,
    withinMs: 40_000,
    ...(body !== undefined && { method: 'POST', body }),
  });
  if (outcome.kind === 'answer' && outcome.status < 300) return outcome.body;
  throw new Error(`${path}: ${JSON.stringify(outcome)}`);
}

export interface Ai {
  address: string;
  key: string;
}

export async function signUp(url: string, name: string): Promise<Ai> {
  const { address, connector_key: key } = await ask(url, '/v0/agents', undefined, { name });
  return { address, key };
}

/** Sends a message from one AI to another, answering a held poll. */
async function talk(from: { url: string; ai: Ai }, to: { url: string; ai: Ai }, text: string): Promise<void> {
  const held = ask(to.url, '/v0/messages?unread=true&wait=25', to.ai.key);
  held.catch(() => {});
  await sleep(500);
  await ask(from.url, '/v0/messages', from.ai.key, { to: to.ai.address, text });
  const { messages } = await held;
  must('the held poll is answered with the message', messages?.[0]?.text === text, messages);
}

/** Sends a message within a home. */
export async function talkInside(home = homeA): Promise<void> {
  const url = urlOf(home);
  await talk({ url, ai: await signUp(url, 'Robin') }, { url, ai: await signUp(url, 'Kim') }, 'Good morning.');
}

/** Sends a message from one home to another; returns the milliseconds that it took. */
export async function talkAcross(from: ClusterHome, to: ClusterHome): Promise<number> {
  const [here, there] = [urlOf(from), urlOf(to)];
  const [robin, kim] = [await signUp(here, 'Robin'), await signUp(there, 'Kim')];
  const poll = () => ask(there, '/v0/messages?unread=true&wait=30', kim.key);
  const held = poll();
  held.catch(() => {});
  await sleep(500);
  const began = performance.now();
  const abroad = `${kim.address.slice(1)}@${to.name}`;
  await ask(here, '/v0/messages', robin.key, { to: abroad, text: 'From the other home.' });
  let { messages } = await held;
  if (messages.length === 0) ({ messages } = await poll());
  must('the message came', messages[0]?.text === 'From the other home.', messages);
  return Math.round(performance.now() - began);
}

export interface Found {
  lost: number;
  doubled: number;
  disordered: number;
  unexpected: number;
  errors: number;
  [more: string]: unknown;
}

/** Holds 100 polls, or `holders`, and sends 10 messages a second, while `work` disturbs that home's cluster. */
export async function underTraffic(
  name: string,
  work: (step: (what: string, act: () => unknown) => Promise<number>) => Promise<void>,
  { holders = 100, home = homeA } = {},
): Promise<Found> {
  const url = urlOf(home);
  const ais: Ai[] = [];
  for (let index = 0; index < holders; index += 1) ais.push(await signUp(url, `Robin ${index}`));
  // Two conversations per AI, 10 messages a second in total.
  const run = `${name}-${process.pid}`;
  const traffic = startTraffic({
    urls: [url],
    ais,
    run,
    everyMs: holders * 200,
    evenly: true,
    waitSeconds: 20,
  });
  const { troubles } = traffic;
  const countErrors = () =>
    troubles.unclear.length +
    troubles.hung.length +
    Object.values(troubles.refusals).reduce((a, b) => a + b, 0);
  const steps: { what: string; at: number; seconds: number; errors: number; sends: number }[] = [];
  const start = performance.now();
  try {
    await sleep(10_000);
    await work(async (what, act) => {
      const [began, before, sent] = [performance.now(), countErrors(), traffic.sent.length];
      await act();
      const seconds = Math.round((performance.now() - began) / 1000);
      const at = Math.round((began - start) / 100) / 10;
      const done = { what, at, seconds, errors: countErrors() - before, sends: traffic.sent.length - sent };
      steps.push(done);
      console.log(`  ${what}: ${seconds} s, ${done.sends} sends, ${done.errors} errors`);
      return done.errors;
    });
    await sleep(5_000);
    await traffic.quiet(60_000);
    await traffic.drain(40_000);
  } finally {
    traffic.end();
  }
  const verdict = judge(traffic.sent, traffic.seen);
  const taken = [...traffic.taken.values()].flat();
  const found = {
    lost: verdict.lost.length,
    doubled: verdict.duplicates.length,
    disordered: verdict.orderViolations.length,
    unexpected: verdict.unexpected.length,
    errors: countErrors(),
    acknowledged: verdict.acknowledged,
    delivered: verdict.delivered,
    refusals: troubles.refusals,
    unclear: troubles.unclear.slice(0, 5),
    hung: troubles.hung.slice(0, 5),
    send_to_answer_ms: spread(taken.map(({ startedAt, deliveredAt }) => since(startedAt, deliveredAt))),
    wake_ms: spread(taken.map(({ takenAt, deliveredAt }) => since(takenAt, deliveredAt))),
    /** Wakes over half a second: seconds since the traffic began, duration of the send, and of the wake. */
    late: taken
      .filter(({ takenAt, deliveredAt = takenAt }) => deliveredAt - takenAt > 500)
      .map(({ startedAt, takenAt, deliveredAt = takenAt }) => ({
        at: Math.round((takenAt - start) / 100) / 10,
        send_ms: Math.round(takenAt - startedAt),
        wake_ms: Math.round(deliveredAt - takenAt),
      }))
      .slice(0, 100),
    /** How far the slowest poll exceeded its wait, and the slowest send. */
    slowest_ms: traffic.slowest,
    steps,
  };
  kept(name, found);
  return found;
}

const since = (from: number, until: number | undefined) =>
  until === undefined ? [] : [Math.round(until - from)];

function spread(found: number[][]) {
  const sorted = found.flat().sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)];
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) };
}

export interface Exchange {
  /** From the first try of the send until a poll returned it. */
  milliseconds: number;
  /** Sends and polls that got no answer or a refusal, and were retried. */
  repeats: number;
}

let exchanges = 0;

/** One AI writes to another every half second until ended; each message is matched with the poll that returns it. */
export function exchange(url: string, from: Ai, to: Ai) {
  const found: Exchange[] = [];
  let isEnding = false;
  exchanges += 1;
  const run = exchanges;
  const work = (async () => {
    let last: string | undefined;
    for (let number = 0; !isEnding; number += 1) {
      const began = performance.now();
      const text = `exchange ${run} ${number}`;
      const body = { to: to.address, text, request_id: text.replaceAll(' ', '-') };
      let [repeats, isSent, isThere] = [0, false, false];
      const hold = async () => {
        while (!isThere) {
          const after = last === undefined ? '' : `&since=${last}`;
          const path = `/v0/messages?unread=true&wait=20${after}`;
          const outcome = await attempt({ url, path, key: to.key, withinMs: 30_000 });
          if (outcome.kind === 'answer' && outcome.status === 200) {
            isThere = outcome.body['messages'].some((message: Body) => message['text'] === text);
            last = outcome.body['messages'].at(-1)?.id ?? last;
          } else repeats += 1;
        }
      };
      const write = async () => {
        while (!isSent) {
          const request = { url, method: 'POST', path: '/v0/messages', key: from.key, body };
          const outcome = await attempt({ ...request, withinMs: 12_000 });
          isSent = outcome.kind === 'answer' && outcome.status < 300;
          if (!isSent) {
            repeats += 1;
            await sleep(100);
          }
        }
      };
      await Promise.all([hold(), write()]);
      found.push({ milliseconds: Math.round(performance.now() - began), repeats });
      await sleep(500);
    }
  })();
  work.catch(() => {});
  return {
    async end(): Promise<Exchange[]> {
      isEnding = true;
      await work;
      return found;
    },
  };
}

/** Writes the findings to test-results/cluster. */
export function kept(name: string, found: object): void {
  const folder = join(root, 'test-results', 'cluster');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${name}.json`),
    `${JSON.stringify({ at: new Date().toISOString(), ...found }, null, 1)}\n`,
  );
}

export function mustKeepAll(found: Found): void {
  const { lost, doubled, disordered, unexpected } = found;
  must(
    'nothing is lost, doubled, out of order or unexpected',
    lost + doubled + disordered + unexpected === 0,
    found,
  );
}

export { sleep };
