import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManualClock, manualClock } from '@hearth/clock';
import { type Random, systemRandom } from '@hearth/ids';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import type { Client } from '@hearth/rpc';
import { type ServiceDefinition, type ServiceName, serviceNames, startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { federation } from '../src/service.ts';

export const home = 'hearth.example';
export const siteUrl = 'https://hearth.example';
export const sealKey = Buffer.alloc(32, 7).toString('base64url');

/** Approvals and decisions call it too. */
type Who = ServiceName | 'approvals';

export interface TestFederation {
  /** Federation as each service calls it. */
  as(service: Who): Client<typeof FederationService>;
  /** Its kept records, likewise. */
  records(service: Who): Client<typeof RecordsService>;
  clock: ManualClock;
  /** Every line that was logged. */
  logged: string[];
  stop(): Promise<void>;
}

export interface TestFederationOptions {
  databaseUrl: string;
  clock?: ManualClock;
  random?: Random;
  env?: Record<string, string>;
  logged?: string[];
}

/** Federation as it stands, called over the real dispatcher; the other services of the home do nothing. */
export async function startFederation(options: TestFederationOptions): Promise<TestFederation> {
  const { clock = manualClock('2026-03-01T12:00:00.000Z'), random = systemRandom, logged = [] } = options;
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-federation-'));
  const others = serviceNames
    .filter((name) => name !== 'federation')
    .map((name): ServiceDefinition => ({ name, start: async () => {} }));
  const env = {
    DATABASE_URL: options.databaseUrl,
    HEARTH_DATA: dataFolder,
    HEARTH_HOME: home,
    HEARTH_SITE_URL: siteUrl,
    HEARTH_SEAL_KEY: sealKey,
    ...options.env,
  };
  const stream = { write: (line: string) => logged.push(line) };
  const removeFolder = () => rmSync(dataFolder, { recursive: true, force: true });
  try {
    const log = createLogger({ level: 'debug', service: 'test', stream });
    const running = await startHome([federation, ...others], env, { clock, random, log });
    return {
      as: (service) => running.client(FederationService, service),
      records: (service) => running.client(RecordsService, service),
      clock,
      logged,
      async stop() {
        await running.stop();
        removeFolder();
      },
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
}
