import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Home, startHome } from '@hearth/runtime';
import { createLogger, type LogLevel } from '@hearth/telemetry';
import { signUpAi, type TestAi } from '@hearth/testkit/home';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { services } from '../../src/services.ts';

/** A whole home in the test's own process, as `npm start` runs it. */
export interface WholeHome {
  url: string;
  port: number;
  home: Home;
  database: TestDatabase;
  operatorKey: string;
  sealKey: string;
  /** What was logged, a JSON line each. */
  lines: string[];
  signUp(fields?: Record<string, unknown>): Promise<TestAi>;
  stop(): Promise<void>;
}

export interface WholeHomeOptions {
  env?: Record<string, string>;
  logLevel?: LogLevel;
}

export async function startWholeHome({
  env = {},
  logLevel = 'debug',
}: WholeHomeOptions = {}): Promise<WholeHome> {
  const database = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-whole-'));
  const port = await freePort();
  const operatorKey = `hearth_op_${randomBytes(32).toString('hex')}`;
  const sealKey = randomBytes(32).toString('base64url');
  const lines: string[] = [];
  const log = createLogger({
    level: logLevel,
    service: 'home',
    stream: { write: (line) => lines.push(line) },
  });
  const home = await startHome(
    services,
    {
      DATABASE_URL: database.url,
      HEARTH_DATA: dataFolder,
      HEARTH_BIND: '127.0.0.1',
      HEARTH_HOME: `localhost:${port}`,
      HEARTH_OPERATOR_KEY: operatorKey,
      HEARTH_SEAL_KEY: sealKey,
      HEARTH_LIMITS: 'relaxed',
      PORT: `${port}`,
      ...env,
    },
    { log },
  );
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    home,
    database,
    operatorKey,
    sealKey,
    lines,
    signUp: (fields) => signUpAi([url], fields),
    async stop() {
      await home.stop();
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
