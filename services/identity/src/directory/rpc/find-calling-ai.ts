import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { limitFor } from '@hearth/limits';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { findAi } from '../../shared/db/ais.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { undoUntil } from '../../shared/domain/claim.ts';
import { changesLeft } from '../../shared/domain/description.ts';
import { isNameVerified, toAi } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';

/** The calling AI and its owner, for whoami. */
export const findCallingAi =
  (context: Context): UnaryHandler<typeof IdentityService.method.findCallingAi> =>
  async (_request, { caller }) => {
    const { claimLinks, clock, database, limits, people } = context;
    const id = callingAi(caller);
    const ai = await findAi(database.db, id);
    if (ai === null || ai.revokedAt !== null) throw switchedOff();
    const owner = ai.owner === null ? null : await people.find(ai.owner);
    const now = nowDate(clock);
    const until = undoUntil(ai, now);
    const changesADay = limitFor(limits, 'description_changes_a_day', 'unclaimed') as number;
    return {
      ai: toAi(ai),
      owner: ai.owner ?? '',
      ...(owner !== null && {
        person: { id: printId('per', owner.id), address: `@${owner.handle}`, name: owner.name },
      }),
      group: ai.groupId ?? '',
      nameVerified: isNameVerified(ai),
      claimedByLink: ai.claimedByLink,
      ...(ai.status !== 'claimed' && { claimLink: claimLinks.linkOf(id, ai.claimVersion) }),
      description: ai.description,
      descriptionChangesLeft: changesLeft(ai, changesADay, now),
      ...(until !== null && { undoUntil: timestampFromDate(until) }),
    };
  };
