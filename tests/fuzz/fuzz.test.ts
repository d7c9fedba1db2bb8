import { startHttpServer } from '@hearth/home/testing/http-server';
import { startWholeHome } from '@hearth/home/testing/whole-home';
import { afterAll, expect, test } from '@jest/globals';
import { fuzz } from './fuzz.ts';
import { routes } from './requests.ts';

/**
 * Whatever is sent, with whatever credential, the home answers as declared, and in time.
 * `npm run fuzz -- --calls 200000 --seed 7` makes more calls, or repeats a failed run.
 */

const calls = Number(process.env['HEARTH_FUZZ_CALLS'] ?? 5_000);
const seed = Number(process.env['HEARTH_FUZZ_SEED'] ?? Date.now() % 1_000_000);

/** Accepts what the home sends, and echoes its challenges. */
const receiver = await startHttpServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  response.setHeader('content-type', 'application/json').end(Buffer.concat(chunks));
});
const home = await startWholeHome({ logLevel: 'info', env: { HEARTH_DEV_CALLBACKS: receiver.url } });

afterAll(async () => {
  await home.stop();
  await receiver.stop();
});

test(
  `${calls} calls of seed ${seed}: the home answers as declared, and never fails`,
  async () => {
    const { faults, counts, done } = await fuzz(home, { receiver: receiver.url, seed, calls });
    const errors = home.lines.filter((line) => line.includes('"level":"error"'));
    console.info(
      `seed ${seed}: ${JSON.stringify(counts)}; done: ${done.size} of ${new Set(routes.map(({ id }) => id)).size} operations`,
    );
    if (faults.length > 0) throw new Error(`seed ${seed}\n\n${faults.join('\n\n')}`);
    expect(errors).toEqual([]);
    // Otherwise the values are no longer useful.
    expect(counts[200] ?? 0).toBeGreaterThan(calls / 20);
    expect(counts['tool'] ?? 0).toBeGreaterThan(calls / 200);
  },
  60_000 + calls * 40,
);
