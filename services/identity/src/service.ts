import type { ServiceDefinition } from '@hearth/runtime';
import { startAis } from './ais/module.ts';
import { startApps } from './apps/module.ts';
import { startDirectory } from './directory/module.ts';
import { startFeedback } from './feedback/module.ts';
import { startNotes } from './notes/module.ts';
import { startOAuth } from './oauth/module.ts';
import { startParties } from './parties/module.ts';
import { startPeople } from './people/module.ts';
import { startSignIn } from './sign-in/module.ts';

/** AIs and people, with their addresses, keys, cards, sign-ins, apps and notes. */
export const identity: ServiceDefinition = {
  name: 'identity',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const parts = await startDirectory(host);
    await startAis(host, parts);
    await startApps(host);
    await startFeedback(host);
    await startNotes(host, parts);
    await startParties(host);
    const { claimGuest } = await startSignIn(host, parts);
    await startPeople(host, { ...parts, claimGuest });
    await startOAuth(host, parts);
  },
};
