import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hearth/testkit/eventually';
import { freePort } from '@hearth/testkit/free-port';
import { type ServiceProcess, signUpAi, spawnService, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// A home that cannot start tells the operator the reason and the remedy; exit code 1, no stack.
const folder = mkdtempSync(join(tmpdir(), 'hearth-faults-start-'));

let nothing: number;

beforeAll(async () => {
  nothing = await freePort();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  output: string;
  ms: number;
}

/** Starts a service that is expected to exit. */
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

test('a second home on the same data folder is refused, and the first continues', async () => {
  const home = await startHomeInProcesses({
    topology: 'one',
    databaseUrl: 'unmade',
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
});

test('a refused start leaves nothing behind: the same folder starts on another port', async () => {
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
  const sealed = await endOf('home', { ...env, HEARTH_SEAL_KEY: 'A'.repeat(43) });
  expectExplained(sealed, /^the secrets of this home cannot be opened: .* another HEARTH_SEAL_KEY\. Start/m);
});

test('all mistakes in the settings are listed at once, and nothing is created', async () => {
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
});

test('a separate service without the addresses of the others lists all missing settings', async () => {
  const ended = await endOf('messages', {});
  for (const name of ['DATABASE_URL', 'NATS_URL', 'HEARTH_PEER_SECRET', 'HEARTH_SEAL_KEY', 'PEER_IDENTITY'])
    expectExplained(ended, new RegExp(`\\b${name}\\b`));
});

test.each([
  ['NATS', 'NATS_URL', (port: number) => `nats://u:secret-word@127.0.0.1:${port}`],
  ['Postgres', 'DATABASE_URL', (port: number) => `postgres://u:secret-word@127.0.0.1:${port}/none`],
])('a start waiting for %s says so, and stops at once on request', async (part, variable, url) => {
  const home = spawnService({
    service: 'home',
    port: 0,
    env: {
      HEARTH_DATA: join(folder, `${part}-away`),
      HEARTH_BIND: '127.0.0.1',
      PORT: String(await freePort()),
      [variable]: url(nothing),
      LOG_LEVEL: 'warn',
    },
  });
  try {
    await eventually(
      async () => home.output(),
      (output) => new RegExp(`waiting for ${part}: .*${variable}`).test(output),
    );
    expect(home.output()).toContain(`127.0.0.1:${nothing}`);
    expect(home.output()).not.toContain('secret-word');
    expect(home.running()).toBe(true);
    const began = performance.now();
    expect(await home.terminate()).toBe(0);
    expect(performance.now() - began).toBeLessThan(5_000);
  } finally {
    await home.kill();
  }
});
