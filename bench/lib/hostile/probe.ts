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

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The points that a request takes from each limit. */
export type Uses = Readonly<Partial<Record<LimitName, number>>>;

/** One kind of request that a stranger may send as often as the limits let them. */
export interface Probe {
  name: string;
  /** Those by its declaration; the bench adds its body and its answer. */
  uses: Uses;
  /** The points for which it counts while nothing proves it (default: 1). */
  unproven?: number;
  /** A new one each time: a nonce is good once. */
  make(): WireRequest;
  /** One after the other: each rests on the one before. */
  inOrder?: true;
  /** The most that there are of it. */
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

/** Sends so many of a probe, and answers what each of them cost the home. */
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

/** The points for which a request counts for its network, since no credential and no known home proves it. */
function unprovenOf({ unproven = 1, uses }: Probe, status: number, path: string, bytes: number): number {
  if (!path.startsWith('/federation/')) return unproven;
  const isHome = 'stranger_requests_a_minute' in uses;
  if (isHome && status !== 400) return 0;
  return (status === 401 ? unprovenPoints.unknownHome : 1) + pointsOfBody(bytes);
}

/** Every rate counts, and none is ever reached: the bench itself multiplies by what is declared. */
const unreached = Object.fromEntries(
  Object.values(readLimits(undefined, { homeName: 'localhost' }))
    .filter(({ size, fixed, most }) => !size && !fixed && most === undefined)
    // Fetches after a refused signature end soon, and the requests go on.
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

/** A home that has had enough of this network: every request is refused. */
export const startFullHome = (among: { port: number; others: readonly string[] }) =>
  startHostileHome(among, {
    reads_a_minute: 0,
    writes_a_minute: 0,
    home_requests_a_minute: 0,
    oauth_requests_a_minute: 0,
    unproven_requests_a_minute: 0,
  });
