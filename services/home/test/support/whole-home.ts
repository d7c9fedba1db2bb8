import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@hearth/clock';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import { createLogger, type LogLevel } from '@hearth/telemetry';
import { freePort } from '@hearth/testkit/free-port';
import { type ApiClient, apiClient, signUpAi } from '@hearth/testkit/home';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import { signInByEmail, type WebVisitor, webVisitor } from '@hearth/testkit/web-visitor';
import { services as allServices } from '../../src/services.ts';

export type WholeHome = Awaited<ReturnType<typeof startWholeHome>>;

export interface WholeHomeOptions {
  env?: Record<string, string>;
  logLevel?: LogLevel;
  /** The services of a home, changed for the test. */
  services?: readonly ServiceDefinition[];
  clock?: Clock;
  /** A free port that other homes know already. */
  port?: number;
}

/** A whole home in the test's own process, as `npm start` runs it. */
export async function startWholeHome({
  env = {},
  logLevel = 'debug',
  services = allServices,
  clock,
  port: givenPort,
}: WholeHomeOptions = {}) {
  const database = await createMigratedDatabase(services);
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-whole-'));
  const port = givenPort ?? (await freePort());
  const operatorKey = `hearth_op_${randomBytes(32).toString('hex')}`;
  const sealKey = randomBytes(32).toString('base64url');
  /** The log, one JSON line each. */
  const lines: string[] = [];
  const log = createLogger({
    level: logLevel,
    service: 'home',
    stream: { write: (line) => lines.push(line) },
  });
  const start = (more: Record<string, string> = {}) =>
    startHome(
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
        ...more,
      },
      { log, ...(clock !== undefined && { clock }) },
    );
  let home = await start();
  const url = `http://127.0.0.1:${port}`;
  /** Its public address. */
  const site = `http://localhost:${port}`;
  const api = (key?: string) => apiClient([url], key);
  return {
    url,
    site,
    port,
    get home() {
      return home;
    },
    database,
    operatorKey,
    sealKey,
    lines,
    api,
    /** An AI that signed itself up. */
    signUp: (fields?: Record<string, unknown>) => signUpAi([url], fields),
    /** A visitor who signs in by email; the first time, this creates an account. */
    async signIn(email: string, fields?: Parameters<typeof signInByEmail>[3]): Promise<WebVisitor> {
      const visitor = webVisitor(site);
      await signInByEmail(visitor, lines, email, fields);
      return visitor;
    },
    /** An app that the operator admits. */
    async newApp(fields: object = {}): Promise<ApiClient & { key: string }> {
      const app = { name: 'Rowing planner', contact_email: 'ops@planner.example', ...fields };
      const { body } = await api(operatorKey).post('/v0/admin/apps', app);
      return { ...api(body.app_key), key: body.app_key };
    },
    /** Stops the home, and restarts it on its database with additional variables. */
    async restart(more: Record<string, string>): Promise<void> {
      await home.stop();
      home = await start(more);
    },
    async stop() {
      await home.stop();
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
