import { setTimeout as sleep } from 'node:timers/promises';
import type { Ai } from './crowd.ts';
import { type HeldPoll, holdPoll } from './held-poll.ts';
import { type RawClient, rawClient, rawRequest } from './raw-client.ts';
import { eachOf, eventually } from './settle.ts';

/** The fate of the messages since the start. */
export interface Tally {
  acknowledged: number;
  delivered: number;
  /** Delivered a second time. */
  duplicates: number;
  /** Requests that failed, with the words of the first few. */
  errors: number;
  firstErrors: string[];
}

/** AIs that each hold a poll, and messages from each to the next one. A message counts when that one's poll brought it. */
export interface Traffic {
  readonly tally: Tally;
  /** Keeps that many messages in flight until it is told to stop. */
  closedLoop(inFlight: number): { stop(): Promise<void> };
  /** Sends that many a second, each at its due time; answers the ms from there to the recipient, in order. */
  openLoop(perSecond: number, seconds: number): Promise<number[]>;
  /** Waits until everything acknowledged was delivered, at most 10 s; answers how many never were. */
  drain(): Promise<number>;
  stop(): void;
}

export interface TrafficOptions {
  ais: readonly Ai[];
  ports: readonly number[];
  /** More members of the body of each message. */
  body?: Record<string, unknown>;
  /** Whether each message carries a request_id. */
  requestIds?: boolean;
}

const filler = 'so that a message is about as long as those that people write to each other. '.padEnd(
  90,
  '.',
);
const numberLength = 9;
const lostAfterMs = 10_000;

export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const { ais, ports } = options;
  const tally: Tally = { acknowledged: 0, delivered: 0, duplicates: 0, errors: 0, firstErrors: [] };
  const arrivals: (((at: number) => void) | undefined)[] = [];
  const seen: boolean[] = [];
  const idle: RawClient[][] = ports.map(() => []);
  const all: RawClient[] = [];
  let turn = 0;

  function onError(what: string): void {
    tally.errors += 1;
    if (tally.firstErrors.length < 5) tally.firstErrors.push(what);
  }

  function onMessage({ text }: { text: string }): void {
    if (!text.startsWith('n')) return;
    const number = Number(text.slice(1, 1 + numberLength));
    if (seen[number]) {
      tally.duplicates += 1;
      return;
    }
    seen[number] = true;
    tally.delivered += 1;
    arrivals[number]?.(performance.now());
    arrivals[number] = undefined;
  }

  async function another(port: number): Promise<RawClient> {
    const client = await rawClient({ port });
    all.push(client);
    return client;
  }

  async function send(from: number, to: Ai, text: string, requestId?: string): Promise<boolean> {
    const port = from % ports.length;
    const client = idle[port]!.pop() ?? (await another(ports[port]!));
    const body = {
      to: to.address,
      text,
      ...(requestId !== undefined && { request_id: requestId }),
      ...options.body,
    };
    try {
      const reply = await client.request(rawRequest('POST', '/v0/messages', ais[from]!.key, body));
      idle[port]!.push(client);
      if (reply.status === 201) return true;
      onError(`a message was answered with ${reply.status}: ${reply.body}`);
    } catch (error) {
      onError((error as Error).message);
    }
    return false;
  }

  /** Sends the next message; resolves with its latency once it is acknowledged and delivered, null when it failed. */
  async function next(dueAt = performance.now()): Promise<number | null> {
    const from = turn++ % ais.length;
    const number = arrivals.length;
    const arrival = new Promise<number>((resolve) => arrivals.push(resolve));
    const text = `n${String(number).padStart(numberLength, '0')} ${filler}`;
    const to = ais[(from + 1) % ais.length]!;
    if (!(await send(from, to, text, options.requestIds ? `bench-${number}` : undefined))) return null;
    tally.acknowledged += 1;
    return (await arrival) - dueAt;
  }

  // Each AI writes to the next one and back, so that no recipient is a stranger.
  await eachOf(ais, 64, async (ai, from) => {
    const other = (from + 1) % ais.length;
    await send(from, ais[other]!, 'hello');
    await send(other, ai, 'hello yourself');
  });
  if (tally.errors > 0) throw new Error(`the first exchange failed: ${tally.firstErrors.join('; ')}`);
  const polls: HeldPoll[] = ais.map((ai, index) =>
    holdPoll({ ai, port: ports[index % ports.length]!, onMessage, onError }),
  );
  await sleep(1_000);

  return {
    tally,
    closedLoop(inFlight) {
      let going = true;
      const lane = async () => {
        while (going) {
          if ((await next()) === null) await sleep(10);
        }
      };
      const lanes = Array.from({ length: inFlight }, lane);
      return {
        async stop() {
          going = false;
          // A lost message would hold its lane for ever; the tally tells of it.
          await Promise.race([Promise.all(lanes), sleep(lostAfterMs)]);
        },
      };
    },
    async openLoop(perSecond, seconds) {
      const latencies: number[] = [];
      const sent: Promise<void>[] = [];
      const start = performance.now();
      const count = perSecond * seconds;
      for (let number = 0; number < count; ) {
        const now = performance.now();
        for (; number < count && start + (number * 1_000) / perSecond <= now; number += 1) {
          const done = next(start + (number * 1_000) / perSecond);
          sent.push(done.then((latency) => void (latency !== null && latencies.push(latency))));
        }
        await sleep(1);
      }
      await Promise.race([Promise.all(sent), sleep(lostAfterMs)]);
      return latencies;
    },
    async drain() {
      await eventually(() => tally.delivered >= tally.acknowledged, lostAfterMs);
      return Math.max(0, tally.acknowledged - tally.delivered);
    },
    stop() {
      for (const poll of polls) poll.stop();
      for (const client of all) client.close();
    },
  };
}

/** Lets the processes compile what they run often; figures of a cold home say little. */
export async function warmUp(traffic: Traffic, seconds: number): Promise<void> {
  const loop = traffic.closedLoop(128);
  await sleep(seconds * 1_000);
  await loop.stop();
}
