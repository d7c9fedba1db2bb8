import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManualClock, manualClock } from '@hearth/clock';
import { type Random, systemRandom } from '@hearth/ids';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import type { Client } from '@hearth/rpc';
import { type ServiceDefinition, type ServiceName, serviceNames, startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { federation } from '../src/service.ts';

export const home = 'hearth.example';
export const siteUrl = 'https://hearth.example';
export const sealKey = Buffer.alloc(32, 7).toString('base64url');

export interface TestFederation {
  /** Federation as each service calls it. */
  as(service: ServiceName): Client<typeof FederationService>;
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
  const clients = new Map<ServiceName, Client<typeof FederationService>>();
  const others = serviceNames
    .filter((name) => name !== 'federation')
    .map((name): ServiceDefinition => {
      const start: ServiceDefinition['start'] = async (host) => {
        clients.set(name, host.peer('federation', FederationService));
      };
      return { name, start };
    });
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
      as: (service) => clients.get(service)!,
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
