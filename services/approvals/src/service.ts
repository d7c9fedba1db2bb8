import type { ServiceDefinition } from '@hearth/runtime';
import { startApprovals } from './approvals.ts';
import { startRequestsBox } from './requests-box.ts';
import { answerTo } from './rpc/approvals/answering.ts';
import { rulesForAsks, startReach, startRules } from './rules.ts';
import { expireApproval } from './settle/change.ts';

/** Asks and their signed answers, what people let reach them, and what they do not want to hear from again. */
export const approvals: ServiceDefinition = {
  name: 'approvals',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const reach = startReach(host);
    const context = startApprovals(host, rulesForAsks(host, reach));
    startRules(host, reach, {
      async answer(id, answer, caller) {
        await answerTo(context, id, answer, caller);
      },
      expire: (id) => expireApproval(context, id),
    });
    startRequestsBox(host, context);
  },
};
