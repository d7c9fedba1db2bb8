import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import { AiStatusSchema } from '@hearth/proto/common/v1/caller';
import type { AiFactsSchema } from '@hearth/proto/identity/v1/ais';
import type { ProfileSchema } from '@hearth/proto/identity/v1/identity';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Ai, AiSchema, PlatformSchema } from '@hearth/proto/identity/v1/resources';
import { ScopeSchema } from '@hearth/proto/options';
import type { AiRow } from '../db/ais.ts';
import type { KeyRow } from '../db/keys.ts';
import type { PartyRow } from '../db/parties.ts';
import { suspensionOfAi } from './suspension.ts';
import type { Visibility } from './visibility.ts';

export const aiStatuses = enumNames(AiStatusSchema);
export const platforms = enumNames(PlatformSchema);
export const scopes = enumNames(ScopeSchema);

/** An AI, with the fields that the viewer may see. */
export function toAi(ai: AiRow, visibility: Visibility = 'whole'): Ai {
  const owner = shownOwner(ai, visibility);
  return create(AiSchema, {
    id: printId('ai', ai.id),
    address: ai.address,
    name: ai.name,
    platform: platforms.valueOf(ai.platform),
    ...(owner !== null && { owner: printId('per', owner) }),
    ownerPrivate: ai.ownerPrivate,
    status: aiStatuses.valueOf(ai.status),
    permissions: visibility === 'whole' ? ai.permissions.map(scopes.valueOf) : [],
    revoked: ai.revokedAt !== null,
    ...(ai.suspendedUntil !== null && { suspendedUntil: timestampFromDate(ai.suspendedUntil) }),
    ...(ai.groupId !== null && { group: printId('grp', ai.groupId) }),
  });
}

/** uuid of the owner, unless they are private and the viewer does not see the AI in full. */
export function shownOwner({ owner, ownerPrivate }: AiRow, visibility: Visibility): string | null {
  return ownerPrivate && visibility !== 'whole' ? null : owner;
}

/** A name is verified if a person or group is responsible for the AI. */
export function isNameVerified({ status }: Pick<AiRow, 'status'>): boolean {
  return status === 'claimed';
}

/** A key of an AI or of an app. */
export function toKey(key: KeyRow) {
  return {
    prefix: key.prefix,
    createdAt: timestampFromDate(key.createdAt),
    ...(key.lastUsedOn !== null && { lastUsed: key.lastUsedOn }),
    ...(key.endsAt !== null && { endsAt: timestampFromDate(key.endsAt) }),
  };
}

/** @param child the AI's owner if they are under 18 */
export function toProfile(ai: AiRow, child: PersonFacts | null): MessageInitShape<typeof ProfileSchema> {
  return {
    id: ai.id,
    address: ai.address,
    name: ai.name,
    aiStatus: aiStatuses.valueOf(ai.status),
    owner: ai.owner ?? '',
    minor: child !== null,
    guardians: child?.guardians ?? [],
    app: child?.app ?? '',
    group: ai.groupId ?? '',
    ownerPrivate: ai.ownerPrivate,
  };
}

export function toPersonProfile(facts: PersonFacts): MessageInitShape<typeof ProfileSchema> {
  return {
    id: facts.id,
    address: `@${facts.handle}`,
    name: facts.name,
    person: true,
    minor: facts.ageBand !== AgeBand.ADULT,
    guardians: facts.guardians,
    app: facts.app,
  };
}

export function toPartyProfile(party: PartyRow): MessageInitShape<typeof ProfileSchema> {
  const { id, address, name, person, status, home } = party;
  return { id, address: address ?? '', name, person, aiStatus: status, home };
}

/** A suspended AI has no permissions. */
export function toAiFacts(ai: AiRow, now: Date): MessageInitShape<typeof AiFactsSchema> {
  return {
    id: ai.id,
    address: ai.address,
    name: ai.name,
    status: aiStatuses.valueOf(ai.status),
    owner: ai.owner ?? '',
    group: ai.groupId ?? '',
    ownerPrivate: ai.ownerPrivate,
    permissions: suspensionOfAi(ai, now) !== null ? [] : ai.permissions.map(scopes.valueOf),
    revoked: ai.revokedAt !== null,
    platform: platforms.valueOf(ai.platform),
    ...(ai.publicKey !== null && { key: ai.publicKey }),
  };
}
