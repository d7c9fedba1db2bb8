import { type Party, viewerOf } from './party.ts';

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
