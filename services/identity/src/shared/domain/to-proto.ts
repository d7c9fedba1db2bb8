import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { AiFactsSchema } from '@hearth/proto/identity/v1/ais';
import type { ProfileSchema } from '@hearth/proto/identity/v1/identity';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Ai, AiSchema, Platform } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import type { AiRow } from '../db/ais.ts';
import type { KeyRow } from '../db/keys.ts';
import type { Sight } from './visibility.ts';
import { fromWord, toWord } from './words.ts';

export const statusOf = (word: string) => fromWord<AiStatus>(AiStatus, word);
export const scopesOf = (words: readonly string[]) => words.map((word) => fromWord<Scope>(Scope, word));
export const wordsOf = (scopes: readonly Scope[]) => scopes.map((scope) => toWord(Scope, scope));
export const platformOf = (word: string) => fromWord<Platform>(Platform, word);

/** An AI; what only those closest to it may know is left out for others. */
export function toAi(ai: AiRow, sight: Sight = 'whole'): Ai {
  return create(AiSchema, {
    id: printId('ai', ai.id),
    address: ai.address,
    name: ai.name,
    platform: platformOf(ai.platform),
    ...(shownOwner(ai, sight) !== null && { owner: printId('per', shownOwner(ai, sight)!) }),
    ownerPrivate: ai.ownerPrivate,
    status: statusOf(ai.status),
    permissions: sight === 'whole' ? scopesOf(ai.permissions) : [],
    revoked: ai.revokedAt !== null,
    ...(ai.groupId !== null && { group: printId('grp', ai.groupId) }),
  });
}

/** uuid of the owner, unless they keep their name private to others. */
export function shownOwner({ owner, ownerPrivate }: AiRow, sight: Sight): string | null {
  return ownerPrivate && sight !== 'whole' ? null : owner;
}

/** A name counts as verified when somebody answers for the AI that bears it, or a group does. */
export function isNameVerified({ status }: Pick<AiRow, 'status'>): boolean {
  return status === 'claimed';
}

export function toAiKey(key: KeyRow) {
  return {
    prefix: key.prefix,
    createdAt: timestampFromDate(key.createdAt),
    ...(key.lastUsedOn !== null && { lastUsed: key.lastUsedOn }),
    ...(key.endsAt !== null && { endsAt: timestampFromDate(key.endsAt) }),
  };
}

/** @param owner of the AI, where it is needed: of one of a child */
export function toProfile(ai: AiRow, owner: PersonFacts | null): MessageInitShape<typeof ProfileSchema> {
  return {
    id: ai.id,
    address: ai.address,
    name: ai.name,
    aiStatus: statusOf(ai.status),
    owner: ai.owner ?? '',
    minor: ai.ownerMinor,
    guardians: owner?.guardians ?? [],
    app: owner?.app ?? '',
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

export function toAiFacts(ai: AiRow): MessageInitShape<typeof AiFactsSchema> {
  return {
    id: ai.id,
    address: ai.address,
    name: ai.name,
    status: statusOf(ai.status),
    owner: ai.owner ?? '',
    group: ai.groupId ?? '',
    ownerPrivate: ai.ownerPrivate,
    permissions: scopesOf(ai.permissions),
    revoked: ai.revokedAt !== null,
    platform: platformOf(ai.platform),
  };
}
