import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { findAiByClaim } from '../../shared/db/ais.ts';
import { isClaimable } from '../../shared/domain/claim.ts';
import { toAi } from '../../shared/domain/to-proto.ts';

/** What the page behind a claim link shows; nothing once the link was used or renewed. */
export function findClaim({ database }: Context): UnaryHandler<typeof AisService.method.findClaim> {
  return async ({ hash }) => {
    const ai = await findAiByClaim(database.db, hash);
    if (ai === null || !isClaimable(ai)) return {};
    const seen = Math.max(ai.waitedAt?.getTime() ?? 0, ai.checkedAt?.getTime() ?? 0);
    return {
      ai: toAi(ai),
      createdAt: timestampFromDate(ai.createdAt),
      ...(seen > 0 && { lastSeen: timestampFromDate(new Date(seen)) }),
      description: ai.description,
    };
  };
}
