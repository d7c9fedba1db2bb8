import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { findAiByClaim } from '../../shared/db/ais.ts';
import { isClaimable } from '../../shared/domain/claim.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';
import { lastSeen } from '../domain/last-seen.ts';

/** The contents of the page behind a claim link; empty once the link was used or renewed. */
export const findClaim =
  ({ database }: Context): UnaryHandler<typeof AisService.method.findClaim> =>
  async ({ hash }) => {
    const ai = await findAiByClaim(database.db, hash);
    if (ai === null || !isClaimable(ai)) return {};
    const seen = lastSeen(ai);
    return {
      ai: toAi(ai),
      createdAt: timestampFromDate(ai.createdAt),
      ...(seen !== null && { lastSeen: timestampFromDate(seen) }),
      description: ai.description,
    };
  };
