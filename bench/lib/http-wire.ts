import type { Ai } from './crowd.ts';
import { type HeldPoll, holdPoll } from './held-poll.ts';
import { type RawClient, rawClient, rawRequest } from './raw-client.ts';
import type { Wire } from './wire.ts';

export interface HttpWireOptions {
  ais: readonly Ai[];
  ports: readonly number[];
  /** Additional members of each message's body. */
  body?: Record<string, unknown>;
}

/** The home's API: each AI posts its messages and holds a poll. */
export function httpWire({ ais, ports, body: more }: HttpWireOptions): Wire {
  const idle: RawClient[][] = ports.map(() => []);
  const all: RawClient[] = [];
  let polls: HeldPoll[] = [];

  async function another(port: number): Promise<RawClient> {
    const client = await rawClient({ port });
    all.push(client);
    return client;
  }

  return {
    parties: ais.length,
    async send(from, to, text, requestId) {
      const port = from % ports.length;
      const client = idle[port]!.pop() ?? (await another(ports[port]!));
      const body = {
        to: ais[to]!.address,
        text,
        ...(requestId !== undefined && { request_id: requestId }),
        ...more,
      };
      const reply = await client.request(rawRequest('POST', '/v0/messages', ais[from]!.key, body));
      idle[port]!.push(client);
      if (reply.status !== 201) throw new Error(`a message was answered with ${reply.status}: ${reply.body}`);
    },
    receive(onText, onError) {
      polls = ais.map((ai, index) =>
        holdPoll({ ai, port: ports[index % ports.length]!, onMessage: ({ text }) => onText(text), onError }),
      );
    },
    close() {
      for (const poll of polls) poll.stop();
      for (const client of all) client.close();
    },
  };
}
