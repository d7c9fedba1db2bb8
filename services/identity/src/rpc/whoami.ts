import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findAi } from '../db/ais.ts';
import { whatNext } from '../domain/next.ts';
import { messagesTopic, whoamiTopic } from '../events/topics.ts';
import { isNameVerified, toAi } from './to-proto.ts';
import { callingAi, switchedOff } from './viewer.ts';

const answerHoldsMs = 5_000;

/** Who the calling AI is, what it may do and what waits for it. Fails when the messages cannot be counted. */
export function whoami(context: Context): UnaryHandler<typeof IdentityService.method.whoami> {
  const { claimLinks, database, limits, messages } = context;
  return async (_request, call) => {
    const id = callingAi(call.caller);
    const [ai, unread] = await Promise.all([
      findAi(database.db, id),
      messages.countUnread({ owner: id }, { call }),
    ]);
    if (ai === null || ai.revokedAt !== null) throw switchedOff();
    call.validFor(answerHoldsMs, whoamiTopic(id), messagesTopic(id));
    const shown = toAi(ai);
    const owned = ai.owner !== null;
    return {
      address: ai.address,
      ...(!owned && { claimLink: claimLinks.linkOf(id, ai.claimVersion) }),
      yourName: ai.name,
      nameVerified: isNameVerified(ai),
      claimedWithLink: false,
      permissions: shown.permissions,
      groups: [],
      waiting: { messages: { count: unread.count, oldest: unread.oldest } },
      limits: await limits.leftOf(call.caller, ai),
      next: whatNext({ unread: unread.count, description: ai.description, owned }),
      ai: shown,
    };
  };
}
