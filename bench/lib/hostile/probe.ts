import { Agent, request as httpRequest } from 'node:http';
import {
  charactersOfRead,
  type LimitName,
  pointsOfBody,
  pointsOfOauthBody,
  readLimits,
  unprovenPoints,
} from '@hearth/limits';
import { type BenchHome, startBenchHome } from '../home.ts';
import { cpuBetween, sumOf } from '../processes.ts';
import { eachOf } from '../settle.ts';

/** A request on the wire. */
export interface WireRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The points that a request costs, by limit. */
export type Uses = Readonly<Partial<Record<LimitName, number>>>;

/** A kind of request that a stranger may send as often as the limits allow. */
export interface Probe {
  name: string;
  /** By its declaration; the bench adds the points of its body and its answer. */
  uses: Uses;
  /** The points that it costs while unproven (default: 1). */
  unproven?: number;
  /** Makes a new one each time, because a nonce works once. */
  make(): WireRequest;
  /** Must be sent one at a time, because each depends on the previous one. */
  inOrder?: true;
  /** The most that can be made. */
  most?: number;
}

/** The cost of a probe. */
export interface Cost {
  probe: Probe;
  cpuUs: number;
  status: number;
  uses: Uses;
}

interface Answer {
  status: number;
  counted: boolean;
  bytes: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const inFlight = 2;

function send(port: number, { method, path, headers = {}, body }: WireRequest): Promise<Answer> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            counted: answer.headers['ratelimit'] !== undefined,
            bytes,
          }),
        );
        answer.on('error', reject);
      },
    );
    asked.setTimeout(30_000, () => asked.destroy(new Error(`${method} ${path.slice(0, 80)}: no answer`)));
    asked.on('error', (error: NodeJS.ErrnoException) =>
      // The home ended the connection.
      error.code === 'ECONNRESET' ? resolve({ status: 0, counted: false, bytes: 0 }) : reject(error),
    );
    asked.end(body);
  });
}

/** Sends the probe repeatedly; returns the average cost to the home. */
export async function costOf(home: BenchHome, probe: Probe, wanted: number): Promise<Cost> {
  const count = Math.min(wanted, probe.most ?? wanted);
  const made = Array.from({ length: count }, () => probe.make());
  const before = home.cpu();
  let last: Answer = { status: 0, counted: false, bytes: 0 };
  await eachOf(made, probe.inOrder ? 1 : inFlight, async (request) => {
    last = await send(home.ports[0]!, request);
  });
  const cpuUs = sumOf(cpuBetween(before, home.cpu())) / count;
  const { body = '', path } = made[0]!;
  const bytes = Buffer.byteLength(body);
  const limits = Object.keys(probe.uses) as LimitName[];
  const byBody = limits.filter((name) => /^(?:home|stranger|oauth)_requests/.test(name));
  const uses: Record<string, number> = { ...probe.uses };
  for (const name of byBody)
    uses[name]! += name.startsWith('oauth') ? pointsOfOauthBody(bytes) : pointsOfBody(bytes);
  if (last.counted && !path.startsWith('/oauth/'))
    uses['reads_a_minute'] =
      (uses['reads_a_minute'] ?? 0) + pointsOfBody(bytes) + Math.floor(last.bytes / charactersOfRead);
  const unproven = unprovenOf(probe, last.status, path, bytes);
  if (unproven > 0) uses['unproven_requests_a_minute'] = unproven;
  return { probe, cpuUs, status: last.status, uses };
}

/** The points that a request costs its network, because neither a credential nor a known home proves it. */
function unprovenOf({ unproven = 1, uses }: Probe, status: number, path: string, bytes: number): number {
  if (!path.startsWith('/federation/')) return unproven;
  const isHome = 'stranger_requests_a_minute' in uses;
  if (isHome && status !== 400) return 0;
  return (status === 401 ? unprovenPoints.unknownHome : 1) + pointsOfBody(bytes);
}

/** Every rate is counted but never reached; the bench multiplies by the declared limits itself. */
const unreached = Object.fromEntries(
  Object.values(readLimits(undefined, { homeName: 'localhost' }))
    .filter(({ size, fixed, most }) => !size && !fixed && most === undefined)
    // Fetches after refused signatures are soon refused, while the requests continue.
    .filter(({ name }) => name !== 'home_refetches_a_minute')
    .map(({ name }) => [name, 100_000_000]),
);

export const startHostileHome = (
  among: { port: number; others: readonly string[] },
  limits: Readonly<Partial<Record<LimitName, number>>> = {},
) =>
  startBenchHome({
    layout: 'own-postgres',
    among,
    env: { HEARTH_LIMITS: JSON.stringify({ ...unreached, ...limits }), HEARTH_COMMONS: 'public' },
  });

/** A home whose limits this network has exhausted: it refuses every request. */
export const startFullHome = (among: { port: number; others: readonly string[] }) =>
  startHostileHome(among, {
    reads_a_minute: 0,
    writes_a_minute: 0,
    home_requests_a_minute: 0,
    oauth_requests_a_minute: 0,
    unproven_requests_a_minute: 0,
  });
