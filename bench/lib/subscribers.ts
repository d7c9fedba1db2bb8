import type { Ai } from './crowd.ts';
import { rawClient, rawRequest } from './raw-client.ts';
import { eachOf } from './settle.ts';

const lanes = 16;

/** Subscribes each AI to its messages, at the address with the same index. */
export async function subscribeAll(
  ports: readonly number[],
  ais: readonly Ai[],
  origins: readonly string[],
): Promise<void> {
  const secret = `whsec_${Buffer.alloc(32, 'hearth').toString('base64')}`;
  const clients = await Promise.all(
    Array.from({ length: lanes }, (_, lane) => rawClient({ port: ports[lane % ports.length]! })),
  );
  await eachOf(ais, lanes, async ({ key }, index, lane) => {
    const body = { name: 'message.direct', url: `${origins[index]}/hook`, secret };
    const reply = await clients[lane]!.request(rawRequest('POST', '/v0/ais/me/subscriptions', key, body));
    if (reply.status >= 300)
      throw new Error(`a subscription was answered with ${reply.status}: ${reply.body}`);
  });
  for (const client of clients) client.close();
}
