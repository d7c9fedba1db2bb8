import type { ServiceDefinition } from '@hearth/runtime';
import { startCards } from './cards/module.ts';
import { startHomes } from './homes/module.ts';
import { startLog } from './log/module.ts';
import { startRecords } from './records/module.ts';
import { startSigning } from './signing/module.ts';

/** Holds the home's signing key, which no other service has, and signs its documents and records. */
export const federation: ServiceDefinition = {
  name: 'federation',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const keyRing = await startSigning(host);
    const homes = await startHomes(host, keyRing);
    await startRecords(host, { homes, keyRing });
    const { nudge } = await startLog(host, { homes, keyRing });
    await startCards(host, { homes, nudge });
  },
};
