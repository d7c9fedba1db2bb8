import type { BenchHome } from './home.ts';
import { cpuBetween, sumOf } from './processes.ts';
import { type RawClient, rawClient } from './raw-client.ts';

export interface RequestCost {
  /** CPU µs of the whole home for each. */
  cpuUs: number;
  perSecond: number;
  /** How many were answered; of courses, how many ended. */
  requests: number;
}

/** Sends one request on the connection of its course and answers the body; the answer must have that status. */
export type Send = (request: string, status: number) => Promise<string>;

/** Kept connections that send requests, that many in flight. */
export interface Requests {
  /** Sends what `next` makes for so long; every answer must have that status. */
  keep(seconds: number, next: () => string, status?: number): Promise<RequestCost>;
  /** Sends exactly these, each once. @param answered is given the body of each answer, and the request's place */
  each(
    requests: readonly string[],
    status?: number,
    answered?: (body: string, place: number) => void,
  ): Promise<RequestCost>;
  /** Goes through whole courses of requests for so long, each when the one before has ended; the cost is that of one. */
  courses(seconds: number, course: (send: Send) => Promise<void>): Promise<RequestCost>;
  close(): void;
}

export async function openRequests(home: BenchHome, inFlight: number): Promise<Requests> {
  const clients = await Promise.all(
    Array.from({ length: inFlight }, (_, lane) => rawClient({ port: home.ports[lane % home.ports.length]! })),
  );

  async function measure(lane: (client: RawClient, index: number) => Promise<number>): Promise<RequestCost> {
    const before = home.cpu();
    const began = performance.now();
    const counts = await Promise.all(clients.map(lane));
    const seconds = (performance.now() - began) / 1_000;
    const requests = counts.reduce((sum, count) => sum + count, 0);
    const cpuUs = sumOf(cpuBetween(before, home.cpu())) / requests;
    return { cpuUs, perSecond: requests / seconds, requests };
  }

  async function send(client: RawClient, request: string, status: number): Promise<string> {
    const reply = await client.request(request);
    if (reply.status === status) return reply.body;
    throw new Error(
      `${request.slice(0, request.indexOf('\r'))} was answered with ${reply.status}: ${reply.body}`,
    );
  }

  return {
    keep(seconds, next, status = 200) {
      const until = performance.now() + seconds * 1_000;
      return measure(async (client) => {
        let count = 0;
        for (; performance.now() < until; count += 1) await send(client, next(), status);
        return count;
      });
    },
    courses(seconds, course) {
      const until = performance.now() + seconds * 1_000;
      return measure(async (client) => {
        let count = 0;
        for (; performance.now() < until; count += 1)
          await course((request, status) => send(client, request, status));
        return count;
      });
    },
    each(requests, status = 200, answered = () => {}) {
      let next = 0;
      return measure(async (client) => {
        let count = 0;
        for (; next < requests.length; count += 1) {
          const place = next++;
          answered(await send(client, requests[place]!, status), place);
        }
        return count;
      });
    },
    close() {
      for (const client of clients) client.close();
    },
  };
}
