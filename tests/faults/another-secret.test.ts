import { randomBytes } from 'node:crypto';
import { serviceNames } from '@hearth/config';
import { eventually } from '@hearth/testkit/eventually';
import { freePort } from '@hearth/testkit/free-port';
import { createHomeDatabase, type ServiceProcess, spawnService } from '@hearth/testkit/home';
import { afterAll, expect, test } from '@jest/globals';

// One service of a home has a different HEARTH_PEER_SECRET: its callers, the home's probe and the logs say so.
const database = await createHomeDatabase();
const processes: ServiceProcess[] = [];
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  await database.drop();
});

test('its calls are unavailable, the operator sees the reason, and others refuse to start beside it', async () => {
  const nowhere = await freePort();
  const [gateway, identity] = [await freePort(), await freePort()];
  const secret = () => randomBytes(24).toString('base64url');
  const env = {
    ...Object.fromEntries(serviceNames.map((name) => [`PEER_${name.toUpperCase()}`, `127.0.0.1:${nowhere}`])),
    DATABASE_URL: database.url,
    HEARTH_BIND: '127.0.0.1',
    HEARTH_HOME: `localhost:${gateway}`,
    HEARTH_LIMITS: 'relaxed',
    HEARTH_OPERATOR_KEY: `hearth_op_${secret()}`,
    HEARTH_PEER_SECRET: secret(),
    HEARTH_SEAL_KEY: randomBytes(32).toString('base64url'),
    HEARTH_SITE_URL: `http://127.0.0.1:${gateway}`,
    NATS_URL: process.env['HEARTH_TEST_NATS']!,
    PEER_IDENTITY: `127.0.0.1:${identity}`,
  };
  const start = (service: string, port: number, more: Record<string, string> = {}) => {
    const listen = { [service === 'gateway' ? 'PORT' : 'GRPC_PORT']: `${port}` };
    const started = spawnService({ service, port, env: { ...env, ...listen, ...more } });
    processes.push(started);
    return started;
  };
  const asked = start('gateway', gateway);
  const ask = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${gateway}${path}`, init).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => ({ status: 0, text: '' }),
    );
  await eventually(async () => (await ask('/health')).status === 200);
  start('identity', identity, { HEARTH_PEER_SECRET: secret() });

  const words =
    'refuses the calls of this process: HEARTH_PEER_SECRET must be the same for all services of the home';
  const ready = await eventually(
    () => ask('/ready'),
    ({ text }) => text.includes(words),
  );
  expect(ready).toMatchObject({ status: 503, text: expect.stringContaining(`identity: ${words}`) });
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Robin"}' };
  const signUp = await ask('/v0/agents', body);
  expect(signUp.status).toBe(503);
  expect(JSON.parse(signUp.text)).toMatchObject({ code: 'unavailable' });
  expect(signUp.text).not.toContain('SECRET');
  await eventually(() => asked.output().includes(`identity ${words}`));

  const refused = start('groups', await freePort());
  expect(await refused.exited()).toBe(1);
  expect(refused.output()).toContain(`identity ${words}`);
  expect(refused.output()).not.toMatch(/^\s+at /m);
});
