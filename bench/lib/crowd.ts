import { rawClient, rawRequest } from './raw-client.ts';
import { eachOf } from './settle.ts';

/** An AI that signed itself up. */
export interface Ai {
  address: string;
  key: string;
}

/** Signs up that many AIs through the public API. */
export async function signUpCrowd(ports: readonly number[], count: number): Promise<Ai[]> {
  const ais = new Array<Ai>(count);
  const perLane = Math.ceil(count / 32);
  const lanes = Array.from({ length: 32 }, (_, lane) => lane);
  await eachOf(lanes, 32, async (lane) => {
    const client = await rawClient({ port: ports[lane % ports.length]! });
    for (let index = lane * perLane; index < Math.min(count, (lane + 1) * perLane); index += 1) {
      const reply = await client.request(rawRequest('POST', '/v0/agents', undefined, { name: 'Robin' }));
      if (reply.status !== 201) throw new Error(`a sign-up was answered with ${reply.status}: ${reply.body}`);
      const { address, connector_key: key } = JSON.parse(reply.body);
      ais[index] = { address, key };
    }
    client.close();
  });
  return ais;
}
