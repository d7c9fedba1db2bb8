import type { ServiceDefinition } from '@hearth/runtime';
import { answerTo } from './asks/actions/answer.ts';
import { expireApproval } from './asks/actions/change-approval.ts';
import { startApprovals } from './asks/module.ts';
import { rulesForAsks, startReach, startRules } from './contact-rules/module.ts';
import { startRequestsBox } from './requests/module.ts';

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
