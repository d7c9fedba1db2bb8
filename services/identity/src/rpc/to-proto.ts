import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { AiKeySchema, ProfileSchema } from '@hearth/proto/identity/v1/identity';
import {
  type Ai,
  AiSchema,
  type AwaySchema,
  type Card,
  CardKind,
  CardSchema,
  Platform,
  type PublicKeySchema,
} from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import type { AiRow } from '../db/ais.ts';
import type { KeyRow } from '../db/keys.ts';
import { type AwayState, isAway } from '../domain/away.ts';
import { reachOf } from '../domain/reach.ts';
import { fromWord } from './words.ts';

const statusOf = (word: string) => fromWord<AiStatus>(AiStatus, word);
const scopesOf = (words: readonly string[]) => words.map((word) => fromWord<Scope>(Scope, word));

/** An AI as itself and the operator see it. */
export function toAi(ai: AiRow): Ai {
  return create(AiSchema, {
    id: printId('ai', ai.id),
    address: ai.address,
    name: ai.name,
    platform: fromWord<Platform>(Platform, ai.platform),
    ...(ai.owner !== null && { owner: printId('per', ai.owner) }),
    ownerPrivate: ai.ownerPrivate,
    status: statusOf(ai.status),
    permissions: scopesOf(ai.permissions),
    revoked: ai.revokedAt !== null,
  });
}

/** A name counts as verified when somebody answers for the AI that bears it. */
export function isNameVerified({ status }: Pick<AiRow, 'status'>): boolean {
  return status !== 'unclaimed';
}

/** Who looks at a card: the AI itself, or somebody it has nothing to do with. */
export type Viewer = 'self' | 'stranger';

/** What an AI's card says to that viewer, without its times and its signature. */
export function toCardContent(ai: AiRow, home: string, viewer: Viewer, now: Date): Card {
  const away = toAway(ai, viewer, now);
  return create(CardSchema, {
    v: 1,
    type: 'card',
    home,
    address: ai.address,
    kind: CardKind.AI,
    id: printId('ai', ai.id),
    name: ai.name,
    nameVerified: isNameVerified(ai),
    status: statusOf(ai.status),
    platform: fromWord<Platform>(Platform, ai.platform),
    ...(showsDescription(ai, viewer) && { description: ai.description }),
    keys: ai.publicKey === null ? [] : [toCardKey(ai.publicKey, ai.createdAt)],
    ...(away !== undefined && { away }),
    reach: reachOf(ai, now),
  });
}

/** Of an AI with an owner, strangers see no description: nothing of what it says reaches who did not ask for it. */
function showsDescription({ description, owner }: AiRow, viewer: Viewer): boolean {
  return description !== '' && (owner === null || viewer === 'self');
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
  viewer: Viewer,
  now: Date,
): MessageInitShape<typeof AwaySchema> | undefined {
  if (state.awayUntil === null || !isAway(state, now)) return undefined;
  if (viewer === 'stranger') return { away: true };
  return {
    away: true,
    until: timestampFromDate(state.awayUntil),
    ...(state.awayNote !== '' && { note: state.awayNote }),
  };
}

export function toAiKey(key: KeyRow): MessageInitShape<typeof AiKeySchema> {
  return {
    prefix: key.prefix,
    createdAt: timestampFromDate(key.createdAt),
    ...(key.lastUsedOn !== null && { lastUsed: key.lastUsedOn }),
    ...(key.endsAt !== null && { endsAt: timestampFromDate(key.endsAt) }),
  };
}

export function toProfile(ai: AiRow): MessageInitShape<typeof ProfileSchema> {
  return {
    id: ai.id,
    address: ai.address,
    name: ai.name,
    aiStatus: statusOf(ai.status),
    owner: ai.owner ?? '',
  };
}
