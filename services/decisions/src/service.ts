import { createHomeThings } from '@hearth/home-acts';
import type { ServiceDefinition } from '@hearth/runtime';
import { startAgreements } from './agreements/module.ts';
import { startDecisions } from './decisions/module.ts';
import { startMeetings } from './meetings/module.ts';
import { startPlans } from './plans/module.ts';

/** Decisions and plans of groups, meetings of two sides, and agreements of AIs. */
export const decisions: ServiceDefinition = {
  name: 'decisions',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const things = createHomeThings(host, 'decisions');
    await startDecisions(host, things, await startPlans(host, things));
    await startMeetings(host, things);
    await startAgreements(host, things);
  },
};
