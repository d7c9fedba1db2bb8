import { randomBytes } from 'node:crypto';
import { hooks } from '../../scripts/cluster/homes.ts';
import { judgeDelivered } from '../faults/support/delivered.ts';
import { startWebhooks } from '../faults/support/webhooks.ts';
import { type Ai, ask, kept, signUp, sleep } from './support.ts';

/** Sends two messages a second to AIs with webhooks; `end` waits until all arrived, and judges them. */
export async function startWakes(name: string, url: string) {
  const receiver = await startWebhooks(hooks.port);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const writer = await signUp(url, 'Wren');
  const ais: Ai[] = [];
  for (const path of ['one', 'two', 'three', 'four', 'five']) {
    const ai = await signUp(url, 'Robin');
    const asked = { name: 'message.direct', url: `https://${hooks.name}/${path}`, secret };
    await ask(url, '/v0/ais/me/subscriptions', ai.key, asked);
    ais.push(ai);
  }
  const written: string[] = [];
  let isEnding = false;
  const writing = (async () => {
    while (!isEnding) {
      const { address } = ais[written.length % ais.length]!;
      const { id } = await ask(url, '/v0/messages', writer.key, { to: address, text: 'Wake up.' });
      written.push(id);
      await sleep(500);
    }
  })();
  writing.catch(() => {});
  return {
    async end() {
      isEnding = true;
      await writing;
      const judged = () => judgeDelivered(written, receiver.told);
      for (let tries = 0; judged().lost.length > 0 && tries < 60; tries += 1) await sleep(1_000);
      const slowest = Math.round(Math.max(...receiver.told.map(({ lagMs }) => lagMs)));
      const [count, told] = [written.length, receiver.told.length];
      kept(`${name}-wakes`, { written: count, told, slowest_ms: slowest, ...judged() });
      console.log(`  ${count} wake-ups by ${told} webhooks, the slowest after ${slowest} ms`);
      return judged();
    },
    async stop() {
      isEnding = true;
      await receiver.stop();
    },
  };
}
