import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpWireOptions, httpWire } from './http-wire.ts';
import { eachOf, eventually } from './settle.ts';
import type { Wire } from './wire.ts';

/** The fate of all messages since the start. */
export interface Tally {
  acknowledged: number;
  delivered: number;
  /** Delivered a second time. */
  duplicates: number;
  /** Failed requests, and the messages of the first few. */
  errors: number;
  firstErrors: string[];
}

/** Parties that wait for messages and send some to the next party. A message counts once it arrived. */
export interface Traffic {
  readonly tally: Tally;
  /** Keeps that many messages in flight until stopped. */
  closedLoop(inFlight: number): { stop(): Promise<void> };
  /** Sends that many a second, each at its due time; returns the milliseconds from then to the recipient, in order. */
  openLoop(perSecond: number, seconds: number): Promise<number[]>;
  /** Waits at most 10 s until all acknowledged messages are delivered; returns how many never were. */
  drain(): Promise<number>;
  stop(): void;
}

export interface TrafficOptions extends HttpWireOptions {
  /** Whether each message has a request_id. */
  requestIds?: boolean;
}

const filler = 'so that a message is about as long as those that people write to each other. '.padEnd(
  90,
  '.',
);
const numberLength = 9;
const lostAfterMs = 10_000;

export function startTraffic({ requestIds = false, ...options }: TrafficOptions): Promise<Traffic> {
  return startTrafficOver(httpWire(options), requestIds);
}

export async function startTrafficOver(wire: Wire, requestIds = false): Promise<Traffic> {
  const tally: Tally = { acknowledged: 0, delivered: 0, duplicates: 0, errors: 0, firstErrors: [] };
  const arrivals: (((at: number) => void) | undefined)[] = [];
  const seen: boolean[] = [];
  let turn = 0;

  function onError(what: string): void {
    tally.errors += 1;
    if (tally.firstErrors.length < 5) tally.firstErrors.push(what);
  }

  function onText(text: string): void {
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

  async function send(from: number, to: number, text: string, requestId?: string): Promise<boolean> {
    try {
      await wire.send(from, to, text, requestId);
      return true;
    } catch (error) {
      onError((error as Error).message);
      return false;
    }
  }

  /** Sends the next message; resolves with its latency once it is acknowledged and delivered, or null if it failed. */
  async function next(dueAt = performance.now()): Promise<number | null> {
    const from = turn++ % wire.parties;
    const number = arrivals.length;
    const arrival = new Promise<number>((resolve) => arrivals.push(resolve));
    const text = `n${String(number).padStart(numberLength, '0')} ${filler}`;
    const to = (from + 1) % wire.parties;
    if (!(await send(from, to, text, requestIds ? `bench-${number}` : undefined))) return null;
    tally.acknowledged += 1;
    return (await arrival) - dueAt;
  }

  // Each writes to the next one and back, so that no recipient is a stranger.
  const everyone = Array.from({ length: wire.parties }, (_, from) => from);
  await eachOf(everyone, 64, async (from) => {
    const other = (from + 1) % wire.parties;
    await send(from, other, 'hello');
    await send(other, from, 'hello yourself');
  });
  if (tally.errors > 0) throw new Error(`the first exchange failed: ${tally.firstErrors.join('; ')}`);
  wire.receive(onText, onError);
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
          // A lost message would block its lane forever; the tally shows it.
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
    stop: wire.close,
  };
}

/** Lets processes compile their hot code, because figures of a cold home mean little. */
export async function warmUp(traffic: Traffic, seconds: number): Promise<void> {
  const loop = traffic.closedLoop(128);
  await sleep(seconds * 1_000);
  await loop.stop();
}
