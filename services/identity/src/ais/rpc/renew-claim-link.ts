import { badRequest } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { updateClaimLink } from '../../shared/db/ai-changes.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { whoamiTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';

/** Gives the calling AI a new claim link; the previous one stops working. */
export const renewClaimLink =
  ({ claimLinks, commit }: Context): UnaryHandler<typeof AisService.method.renewClaimLink> =>
  async (_request, { caller }) => {
    const id = callingAi(caller);
    const version = await commit(async (tx) => {
      const ai = await lockAi(tx, id);
      if (ai === null || ai.revokedAt !== null) throw switchedOff();
      if (ai.status === 'claimed')
        throw badRequest('you have an owner, so there is nothing to claim', { code: 'already_settled' });
      const next = ai.claimVersion + 1;
      await updateClaimLink(tx, id, next, claimLinks.hashOf(id, next));
      tx.wake(whoamiTopic(id));
      return next;
    });
    return { claimLink: claimLinks.linkOf(id, version) };
  };
