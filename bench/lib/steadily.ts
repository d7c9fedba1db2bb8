import { setTimeout as sleep } from 'node:timers/promises';
import { type RawClient, rawClient } from './raw-client.ts';

/** Sends requests at a constant rate, whether or not earlier ones were answered. */
export interface Steadily {
  /**
   * Resolves once all are answered, with the number that had the status: a home may refuse excess requests.
   *
   * @param answered receives the body of each answer with the status
   */
  send(
    perSecond: number,
    seconds: number,
    next: () => string,
    status?: number,
    answered?: (body: string) => void,
  ): Promise<number>;
  close(): void;
}

export function openSteadily(ports: readonly number[]): Steadily {
  const idle: RawClient[] = [];
  const all: RawClient[] = [];

  async function sendRequest(
    request: string,
    status: number,
    answered: (body: string) => void,
  ): Promise<boolean> {
    const client = idle.pop() ?? (await rawClient({ port: ports[all.length % ports.length]! }));
    if (!all.includes(client)) all.push(client);
    const reply = await client.request(request);
    idle.push(client);
    if (reply.status === status) answered(reply.body);
    return reply.status === status;
  }

  return {
    async send(perSecond, seconds, next, status = 201, answered = () => {}) {
      const count = Math.round(perSecond * seconds);
      const sent: Promise<boolean>[] = [];
      const start = performance.now();
      while (sent.length < count) {
        const due = Math.min(count, Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1);
        while (sent.length < due) sent.push(sendRequest(next(), status, answered));
        await sleep(1);
      }
      return (await Promise.all(sent)).filter(Boolean).length;
    },
    close() {
      for (const client of all) client.close();
    },
  };
}
