import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@hearth/clock';
import { expect } from '@jest/globals';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import type { StandInFederation } from './stand-in-federation.ts';

/** A message that arrived in full. */
export interface Arrived {
  headers: Record<string, string>;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any;
  /** By the home's clock. */
  at: number;
}

export type Answer = { status: number; headers?: Record<string, string>; body?: string };
/** How to treat a message: an answer, or a function that answers it. */
export type Manner = Answer | ((response: ServerResponse, arrived: Arrived) => void);

export interface WakeUpReceiver {
  origin: string;
  url: string;
  /** Everything, in order of arrival. */
  readonly arrived: Arrived[];
  /** Without challenges. */
  messages(): Arrived[];
  /** Ids of the events only. */
  eventIds(): string[];
  ofType(type: 'verification' | 'gap' | 'terminated'): Arrived[];
  /** How to treat the next messages, not counting challenges; then back to the default. */
  next(...manners: Manner[]): void;
  /** How to treat every further message, not counting challenges. */
  always(manner: Manner): void;
  /** How to answer challenges; null for the correct answer. */
  challenged(manner: Manner | null): void;
  stop(): Promise<void>;
}

/** An AI's program on this machine that receives wake-ups, and answers challenges. */
export async function startReceiver(clock: Clock): Promise<WakeUpReceiver> {
  const arrived: Arrived[] = [];
  const queue: Manner[] = [];
  let usual: Manner = { status: 204 };
  let challenged: Manner | null = null;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      const one = { headers, raw, body: JSON.parse(raw), at: clock.now() };
      arrived.push(one);
      const manner = mannerFor(one);
      if (typeof manner === 'function') manner(response, one);
      else response.writeHead(manner.status, manner.headers ?? {}).end(manner.body ?? '');
    });
  });
  function mannerFor({ body }: Arrived): Manner {
    if (body.type !== 'verification') return queue.shift() ?? usual;
    const { challenge } = body;
    return challenged ?? { status: 200, body: JSON.stringify({ challenge }) };
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const messages = () => arrived.filter(({ body }) => body.type !== 'verification');
  return {
    origin,
    url: `${origin}/hook`,
    arrived,
    messages,
    eventIds: () => messages().flatMap(({ body }) => body.eventId ?? []),
    ofType: (type) => arrived.filter(({ body }) => body.type === type),
    next: (...manners) => void queue.push(...manners),
    always(manner) {
      usual = manner;
    },
    challenged(manner) {
      challenged = manner;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Verifies with third-party libraries that it is signed now with each of these secrets and the home's key,
 * and with nothing else.
 */
export function expectSigned(
  { headers, raw, at }: Arrived,
  secrets: readonly string[],
  federation: Pick<StandInFederation, 'verifies'>,
): void {
  const id = headers['webhook-id']!;
  const timestamp = headers['webhook-timestamp']!;
  expect(Number(timestamp)).toBe(Math.floor(at / 1_000));
  expect(headers['content-type']).toBe('application/json');
  const words = headers['webhook-signature']!.split(' ');
  expect(words.map((word) => word.split(',')[0])).toEqual([...secrets.map(() => 'v1'), 'v1a']);
  atMoment(at, () => {
    for (const secret of secrets) {
      expect(new Standard(secret).verify(raw, headers)).toEqual(JSON.parse(raw));
      expect(() => new Svix(secret).verify(raw, headers)).not.toThrow();
    }
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    expect(() => new Standard(other).verify(raw, headers)).toThrow();
  });
  const own = words.at(-1)!.slice('v1a,'.length);
  expect(federation.verifies(`${id}.${timestamp}.${raw}`, own)).toBe(true);
  expect(federation.verifies(`${id}.${timestamp}.${raw} `, own)).toBe(false);
}

/** Verifiers compare with the current time, which in tests is the home's. */
function atMoment(at: number, work: () => void): void {
  const { now } = Date;
  Date.now = () => at;
  try {
    work();
  } finally {
    Date.now = now;
  }
}
