import type { BenchHome } from './home.ts';
import { cpuBetween, sumOf } from './processes.ts';
import { type RawClient, rawClient } from './raw-client.ts';

export interface RequestCost {
  /** The whole home's CPU µs for each request. */
  cpuUs: number;
  perSecond: number;
  /** How many were answered; for courses, how many ended. */
  requests: number;
}

/** Sends a request on its course's connection; returns the answer's body. Rejects an answer with another status. */
export type Send = (request: string, status: number) => Promise<string>;

/** Kept-alive connections with that many requests in flight. */
export interface Requests {
  /** Sends the requests from `next` for that long; every answer must have the status. */
  keep(seconds: number, next: () => string, status?: number): Promise<RequestCost>;
  /** Sends each of these exactly once. @param answered receives each answer's body and its request's index */
  each(
    requests: readonly string[],
    status?: number,
    answered?: (body: string, place: number) => void,
  ): Promise<RequestCost>;
  /** Runs courses of requests for that long, each after the previous one has ended; the cost is per course. */
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
