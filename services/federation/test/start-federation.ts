import { FederationService } from '@hearth/proto/federation/v1/federation';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { type StartServiceOptions, startService } from '@hearth/testkit';
import { federation } from '../src/service.ts';

export const home = 'hearth.example';
const siteUrl = 'https://hearth.example';
export const sealKey = Buffer.alloc(32, 7).toString('base64url');

export type TestFederation = Awaited<ReturnType<typeof startFederation>>;

/** The real federation service; the home's other services do nothing. */
export async function startFederation({ env, ...options }: StartServiceOptions = {}) {
  const running = await startService([federation], {
    logLevel: 'debug',
    env: { HEARTH_HOME: home, HEARTH_SITE_URL: siteUrl, HEARTH_SEAL_KEY: sealKey, ...env },
    ...options,
  });
  return {
    ...running,
    /** Federation, as each service calls it. */
    as: (service: string) => running.client(FederationService, service),
    /** Its stored records, as each service calls them. */
    records: (service: string) => running.client(RecordsService, service),
  };
}
