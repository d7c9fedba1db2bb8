import type { ServiceDefinition } from '@hearth/runtime';
import { startApprovals } from './approvals.ts';
import { startRequestsBox } from './requests-box.ts';
import { startReach, startRules } from './rules.ts';

/** Asks and their signed answers, what people let reach them, and what they do not want to hear from again. */
export const approvals: ServiceDefinition = {
  name: 'approvals',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const rules = startRules(host, startReach(host));
    const context = startApprovals(host, rules);
    startRequestsBox(host, context);
  },
};
