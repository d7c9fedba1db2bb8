import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import { type AdminAiSchema, AiState, AiStateSchema } from '@hearth/proto/identity/v1/ais';
import type { AiFilter, AiRow } from '../../shared/db/ais.ts';
import { utcDay } from '../../shared/domain/description.ts';
import { shownSuspension, suspensionOf, suspensionOfAi } from '../../shared/domain/suspension.ts';
import { aiStatuses, platforms } from '../../shared/domain/to-proto.ts';
import { lastSeen } from './last-seen.ts';

/** The state's name in the query; null for any state. */
export function stateNameOf(state: AiState | undefined): AiFilter['state'] {
  return state ? (enumNames(AiStateSchema).nameOf(state) as AiFilter['state']) : null;
}

/**
 * An AI as the operator sees it. An AI of a person under 18 has no address or name here: they may reveal its
 * owner.
 */
export function toOperator(ai: AiRow, now: Date): MessageInitShape<typeof AdminAiSchema> {
  const seen = lastSeen(ai);
  const suspended = ai.revokedAt === null ? suspensionOfAi(ai, now) : null;
  return {
    id: printId('ai', ai.id),
    ...(!ai.ownerMinor && { address: ai.address, name: ai.name }),
    state: ai.revokedAt !== null ? AiState.REVOKED : suspended !== null ? AiState.SUSPENDED : AiState.ACTIVE,
    status: aiStatuses.valueOf(ai.status),
    platform: platforms.valueOf(ai.platform),
    owner: ai.owner === null ? undefined : printId('per', ai.owner),
    group: ai.groupId === null ? undefined : printId('grp', ai.groupId),
    createdAt: timestampFromDate(ai.createdAt),
    lastSeen: seen === null ? undefined : utcDay(seen),
    ...shownSuspension(suspended),
    ...(suspended !== null && suspensionOf(ai, now) === null && { suspendedWithOwner: true }),
    ...(ai.revokedAt !== null && { revokedAt: timestampFromDate(ai.revokedAt) }),
  };
}
