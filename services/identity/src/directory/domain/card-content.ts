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
  ReachMode,
} from '@hearth/proto/identity/v1/resources';
import type { AiRow } from '../../shared/db/ais.ts';
import { suspensionOfAi } from '../../shared/domain/suspension.ts';
import { aiStatuses, isNameVerified, platforms, shownOwner } from '../../shared/domain/to-proto.ts';
import type { Visibility } from '../../shared/domain/visibility.ts';
import { type AwayState, isAway } from './away.ts';
import { reachOf } from './reach.ts';

const common = { v: 1, type: 'card' };

/** Facts on a card that do not come from its subject's row. */
interface Shown {
  home: string;
  visibility: Visibility;
  now: Date;
  /** The accepted kinds of request. */
  accepts: RequestKind[];
}

/**
 * An AI's card as the viewer sees it, without times and signature.
 *
 * @param vouchedBy addresses
 */
export function toAiCard(
  ai: AiRow,
  { accepts, home, visibility, now, vouchedBy = [] }: Shown & { vouchedBy?: string[] },
): Card {
  const away = toAway(ai, visibility, now);
  const owner = shownOwner(ai, visibility);
  return create(CardSchema, {
    ...common,
    home,
    address: ai.address,
    kind: ai.groupId === null ? CardKind.AI : CardKind.GROUP_AI,
    id: printId('ai', ai.id),
    name: ai.name,
    nameVerified: isNameVerified(ai),
    status: aiStatuses.valueOf(ai.status),
    platform: platforms.valueOf(ai.platform),
    ...(showsDescription(ai, visibility) && { description: ai.description }),
    keys: ai.publicKey === null ? [] : [toCardKey(ai.publicKey, ai.createdAt)],
    ...(away !== undefined && { away }),
    reach: reachOf(ai, now),
    ...(owner !== null && { owner: printId('per', owner) }),
    vouchedBy,
    ...(ai.groupId !== null && { group: printId('grp', ai.groupId) }),
    accepts,
    ...(suspensionOfAi(ai, now) !== null && { suspended: true }),
  });
}

/** Strangers do not see the description of an AI with an owner: its text must not reach people unasked. */
function showsDescription({ description, owner }: AiRow, visibility: Visibility): boolean {
  return description !== '' && (owner === null || visibility !== 'stranger');
}

/** @param shown the person as the viewer may see them */
export function toPersonCard(
  facts: PersonFacts,
  shown: Person,
  { accepts, home, visibility, now, away }: Shown & { away: AwayState },
): Card {
  // Only viewers who see a child in full learn when and why the child is away.
  const shownAway = toAway(away, shown.shielded ? 'stranger' : visibility, now);
  return create(CardSchema, {
    ...common,
    home,
    address: shown.address,
    kind: CardKind.PERSON,
    id: shown.id,
    name: shown.name,
    // An app vouches for the people it holds, even before they have a sign-in of their own.
    nameVerified: !facts.guest || facts.app !== '',
    ...(shownAway !== undefined && { away: shownAway }),
    reach: { mode: ReachMode.UNKNOWN },
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
    reach: { mode: ReachMode.UNKNOWN },
    ...(group.groupAi !== '' && { groupAi: printId('ai', group.groupAi) }),
  });
}

function toCardKey(
  { kid, kty, crv, x }: NonNullable<AiRow['publicKey']>,
  since: Date,
): MessageInitShape<typeof PublicKeySchema> {
  return { kid, kty, crv, x, use: 'sig', status: 'active', from: timestampFromDate(since) };
}

/** Strangers see only that someone is away, not until when or why. */
export function toAway(
  state: AwayState,
  visibility: Visibility,
  now: Date,
): MessageInitShape<typeof AwaySchema> | undefined {
  if (state.awayUntil === null || !isAway(state, now)) return undefined;
  if (visibility === 'stranger') return { away: true };
  return {
    away: true,
    until: timestampFromDate(state.awayUntil),
    ...(state.awayNote !== '' && { note: state.awayNote }),
  };
}
