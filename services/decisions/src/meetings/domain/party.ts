import { AiStatus } from '@hearth/proto/common/v1/caller';

/** A side of an offer or a meeting: a person or an AI, as they were then. */
export interface Party {
  kind: 'ai' | 'person';
  /** uuid */
  id: string;
  /** uuid of the person, or of the AI's owner; null for an AI without an owner. */
  person: string | null;
  address: string;
  name: string;
  /** uuid of the group that an AI runs; null of others. */
  group: string | null;
  /** AiStatus; 0 of a person. */
  aiStatus: number;
  /** uuid of the app through which they act; null without one. */
  app: string | null;
  /** The name of its home, where that is another one. The address has it too. */
  home?: string;
  /** Another home is under the name of its home, and is told nothing. */
  anew?: boolean;
}

/** uuid as which the party sees things: a person and their AIs see the same. */
export function viewerOf({ id, person }: Pick<Party, 'id' | 'person'>): string {
  return person ?? id;
}

/** A party of this home. */
export function isHere({ home }: Pick<Party, 'home'>): boolean {
  return home === undefined;
}

/** A party of another home that is told of what it takes part in. */
export function isTold({ home, anew }: Pick<Party, 'home' | 'anew'>): boolean {
  return home !== undefined && anew !== true;
}

/** False where an AI without an owner chose the name, and of a name of another home. */
export function isVerified({ home, kind, aiStatus }: Party): boolean {
  return home === undefined && (kind === 'person' || aiStatus === AiStatus.CLAIMED);
}

/** As whom a caller books: a person who books what was offered to their AI does so for it, and is not named to the other side. */
export function addressed(
  { recipients }: { recipients: readonly { party: Party | null }[] },
  self: Party,
): Party {
  const parties = recipients.flatMap(({ party }) => party ?? []);
  const theirs = parties.filter((party) => viewerOf(party) === viewerOf(self));
  if (theirs.length === 0 || theirs.some(({ id }) => id === self.id)) return self;
  return theirs[0] ?? self;
}
