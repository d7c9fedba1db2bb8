import type { ServiceDefinition } from '@hearth/runtime';
import { type Asks, startAsks } from './asks/module.ts';
import { startContactRules } from './contact-rules/module.ts';
import { startRequests } from './requests/module.ts';

/** Asks and their signed answers, people's contact rules, waiting items, blocks and reports. */
export const approvals: ServiceDefinition = {
  name: 'approvals',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const rules = await startContactRules(host, () => asks);
    const requests = await startRequests(host, { rules, asks: () => asks });
    const asks: Asks = await startAsks(host, { rules, requests });
  },
};
