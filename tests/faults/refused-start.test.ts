import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@hearth/testkit/free-port';
import { type ServiceProcess, signUpAi, spawnService, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// A home that cannot start tells the operator the reason and the way out; exit code 1, no stack.
const folder = mkdtempSync(join(tmpdir(), 'hearth-faults-start-'));

/** NATS gets 15 s to answer at a start; the other tests do not wait for that. */
let busAway: Promise<Ended>;
let nothing: number;

beforeAll(async () => {
  nothing = await freePort();
  busAway = endOf('home', {
    HEARTH_DATA: join(folder, 'bus-away'),
    HEARTH_BIND: '127.0.0.1',
    PORT: String(await freePort()),
    NATS_URL: `nats://u:secret-word@127.0.0.1:${nothing}`,
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  output: string;
  ms: number;
}

/** Starts a service that is expected to end by itself. */
async function endOf(service: string, env: Record<string, string>): Promise<Ended> {
  const began = performance.now();
  const process: ServiceProcess = spawnService({ service, port: 0, env: { LOG_LEVEL: 'error', ...env } });
  const timer = setTimeout(() => void process.kill(), 30_000);
  const code = await process.exited();
  clearTimeout(timer);
  return { code, output: process.output(), ms: Math.round(performance.now() - began) };
}

function expectExplained({ code, output }: Ended, words: RegExp): void {
  expect(output).toMatch(words);
  expect(output).not.toMatch(/^\s+at /m);
  expect(output).not.toMatch(/node:internal|Error:/);
  expect(code).toBe(1);
}

test('a second home on the same data folder is refused; the first goes on', async () => {
  const home = await startHomeInProcesses({
    topology: 'one',
    databaseUrl: 'embedded',
    env: { HEARTH_LIMITS: 'relaxed' },
  });
  try {
    const second = await endOf('home', { HEARTH_DATA: home.dataFolder, PORT: String(await freePort()) });
    expectExplained(
      second,
      new RegExp(
        `another home runs on the data folder \\S+ \\(process ${home.processes[0]!.pid()}\\); .*HEARTH_DATA`,
      ),
    );
    expect(second.ms).toBeLessThan(10_000);
    await signUpAi(home.urls);

    const [port] = home.processes.map((process) => process.port);
    const taken = await endOf('home', {
      HEARTH_DATA: join(folder, 'taken'),
      PORT: String(port),
      HEARTH_BIND: '127.0.0.1',
    });
    expectExplained(
      taken,
      new RegExp(
        `^port ${port} is taken by another program; stop it or start with PORT=\\d+ npm start$`,
        'm',
      ),
    );
    await signUpAi(home.urls);
  } finally {
    await home.stop();
  }
}, 90_000);

test('after a refused start nothing of it stays: the same folder starts on another port', async () => {
  const port = await freePort();
  const env = { HEARTH_DATA: join(folder, 'taken'), PORT: String(port), HEARTH_BIND: '127.0.0.1' };
  const home = spawnService({ service: 'home', port, env });
  try {
    for (let tries = 0; tries < 600; tries += 1) {
      if (
        await fetch(`http://127.0.0.1:${port}/ready`).then(
          (answer) => answer.ok,
          () => false,
        )
      )
        break;
      expect([home.running(), home.output()]).toEqual([true, expect.any(String)]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  } finally {
    expect(await home.terminate()).toBe(0);
  }
}, 60_000);

test('all mistakes of the settings are listed at once, and nothing is made', async () => {
  const data = join(folder, 'never');
  const ended = await endOf('home', {
    HEARTH_DATA: data,
    PORT: '99999',
    HEARTH_HOME: 'Not A Name',
    DATABASE_URL: 'mysql://localhost/x',
    NATS_URL: 'http://localhost',
    HEARTH_LIMITS: '{"writes_a_minute":',
    LOG_LEVEL: 'loud',
  });
  for (const name of ['PORT', 'HEARTH_HOME', 'DATABASE_URL', 'NATS_URL', 'HEARTH_LIMITS', 'LOG_LEVEL'])
    expectExplained(ended, new RegExp(`\\b${name}\\b`));
  expect(ended.ms).toBeLessThan(10_000);
  expect(() => rmSync(data)).toThrow('ENOENT');
}, 40_000);

test('a service apart that was not told where the others are names all that is missing', async () => {
  const ended = await endOf('messages', {});
  for (const name of ['DATABASE_URL', 'NATS_URL', 'HEARTH_PEER_SECRET', 'HEARTH_SEAL_KEY', 'PEER_IDENTITY'])
    expectExplained(ended, new RegExp(`\\b${name}\\b`));
}, 40_000);

test('a database or a bus that is not there ends the start in words', async () => {
  const database = await endOf('home', {
    HEARTH_DATA: join(folder, 'database-away'),
    HEARTH_BIND: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: `postgres://nobody:secret-word@127.0.0.1:${nothing}/none`,
  });
  const bus = await busAway;
  expectExplained(database, /database cannot be reached/);
  expectExplained(bus, /no NATS server answers at 127\.0\.0\.1:\d+ .*NATS_URL/);
  expect(database.output + bus.output).not.toContain('secret-word');
}, 60_000);
