import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { Owned } from '../../shared/db/hands.ts';

/** A side of an offer or meeting: a person or an AI, as they were then. */
export interface Party {
  kind: 'ai' | 'person';
  /** uuid */
  id: string;
  /** uuid of the person, or of the AI's owner; null for an AI without an owner. */
  person: string | null;
  address: string;
  name: string;
  /** uuid of the group that the AI runs; else null. */
  group: string | null;
  /** AiStatus; 0 for a person. */
  aiStatus: number;
  /** uuid of the app they act through; null without one. */
  app: string | null;
  /** The home's name for a remote party; also part of the address. */
  home?: string;
  /** Whether a different home now has its home's name; that home must not be told. */
  anew?: boolean;
}

/** uuid of the viewer: a person and their AIs share one. */
export function viewerOf({ id, person }: Pick<Party, 'id' | 'person'>): string {
  return person ?? id;
}

/** Whether the party is local. */
export function isHere({ home }: Pick<Party, 'home'>): boolean {
  return home === undefined;
}

/** Whether the party is remote and its home must be told. */
export function isTold({ home, anew }: Pick<Party, 'home' | 'anew'>): boolean {
  return home !== undefined && anew !== true;
}

/** False if the name was chosen by an AI without an owner, or by another home. */
export function isVerified({ home, kind, aiStatus }: Party): boolean {
  return home === undefined && (kind === 'person' || aiStatus === AiStatus.CLAIMED);
}

/** The party's owner, as looked up, if it is a local AI. People under 18 and their AIs are no parties. */
export function ownedOf(party: Party): Owned[] {
  const { kind, id: ai, person } = party;
  return kind === 'ai' && isHere(party) ? [{ ai, person, minor: false }] : [];
}

/**
 * The party that a caller books as: a person who books an offer to their AI does so as the AI, and isn't
 * named to the other side.
 */
export function addressed(
  { recipients }: { recipients: readonly { party: Party | null }[] },
  self: Party,
): Party {
  const parties = recipients.flatMap(({ party }) => party ?? []);
  const theirs = parties.filter((party) => viewerOf(party) === viewerOf(self));
  if (theirs.length === 0 || theirs.some(({ id }) => id === self.id)) return self;
  return theirs[0] ?? self;
}
