import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import {
  type AwaySchema,
  type Card,
  CardKind,
  CardSchema,
  type Person,
  type PublicKeySchema,
} from '@hearth/proto/identity/v1/resources';
import type { AiRow } from '../../shared/db/ais.ts';
import { isNameVerified, platformOf, shownOwner, statusOf } from '../../shared/domain/to-proto.ts';
import type { Sight } from '../../shared/domain/visibility.ts';
import { type AwayState, isAway } from './away.ts';
import { reachOf } from './reach.ts';

const common = { v: 1, type: 'card' };

/** What a card says beside its subject's own facts. */
interface Seen {
  home: string;
  sight: Sight;
  now: Date;
  /** The kinds of request that are not turned away. */
  accepts: RequestKind[];
}

/**
 * What the card of an AI says to somebody, without its times and its signature.
 *
 * @param vouchedBy addresses
 */
export function toAiCard(
  ai: AiRow,
  { accepts, home, sight, now, vouchedBy = [] }: Seen & { vouchedBy?: string[] },
): Card {
  const away = toAway(ai, sight, now);
  const owner = shownOwner(ai, sight);
  return create(CardSchema, {
    ...common,
    home,
    address: ai.address,
    kind: ai.groupId === null ? CardKind.AI : CardKind.GROUP_AI,
    id: printId('ai', ai.id),
    name: ai.name,
    nameVerified: isNameVerified(ai),
    status: statusOf(ai.status),
    platform: platformOf(ai.platform),
    ...(showsDescription(ai, sight) && { description: ai.description }),
    keys: ai.publicKey === null ? [] : [toCardKey(ai.publicKey, ai.createdAt)],
    ...(away !== undefined && { away }),
    reach: reachOf(ai, now),
    ...(owner !== null && { owner: printId('per', owner) }),
    vouchedBy,
    ...(ai.groupId !== null && { group: printId('grp', ai.groupId) }),
    accepts,
  });
}

/** Of an AI with an owner, strangers see no description: nothing of what it says reaches who did not ask for it. */
function showsDescription({ description, owner }: AiRow, sight: Sight): boolean {
  return description !== '' && (owner === null || sight !== 'stranger');
}

/** @param shown the person as the viewer may see them */
export function toPersonCard(
  facts: PersonFacts,
  shown: Person,
  { accepts, home, sight, now, away }: Seen & { away: AwayState },
): Card {
  // When and why a child is away is for those who see them whole.
  const seen = toAway(away, shown.shielded ? 'stranger' : sight, now);
  return create(CardSchema, {
    ...common,
    home,
    address: shown.address,
    kind: CardKind.PERSON,
    id: shown.id,
    name: shown.name,
    // Whom an app holds it answers for, also before they have a sign-in of their own.
    nameVerified: !facts.guest || facts.app !== '',
    ...(seen !== undefined && { away: seen }),
    ...(shown.shielded && { shielded: true }),
    accepts,
  });
}

export function toGroupCard(group: GroupFacts, home: string): Card {
  return create(CardSchema, {
    ...common,
    home,
    address: `&${group.handle}`,
    kind: CardKind.GROUP,
    id: printId('grp', group.id),
    name: group.name,
    nameVerified: true,
    ...(group.groupAi !== '' && { groupAi: printId('ai', group.groupAi) }),
  });
}

function toCardKey(
  { kid, kty, crv, x }: NonNullable<AiRow['publicKey']>,
  since: Date,
): MessageInitShape<typeof PublicKeySchema> {
  return { kid, kty, crv, x, use: 'sig', status: 'active', from: timestampFromDate(since) };
}

/** Strangers see that someone is away, and neither until when nor why. */
export function toAway(
  state: AwayState,
  sight: Sight,
  now: Date,
): MessageInitShape<typeof AwaySchema> | undefined {
  if (state.awayUntil === null || !isAway(state, now)) return undefined;
  if (sight === 'stranger') return { away: true };
  return {
    away: true,
    until: timestampFromDate(state.awayUntil),
    ...(state.awayNote !== '' && { note: state.awayNote }),
  };
}
