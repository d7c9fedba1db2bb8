import { type Family, internal } from './family.ts';

export const homeEvents = {
  itemForHomes: internal,
  homeItemSettled: internal,
  partiesBeganAnew: internal,
  partyGone: internal,
  homeStateDue: internal,
  otherHomeChanged: {
    ...internal,
    // Also what happened by itself: the operator has to know of it.
    audit: ({ home, change, kids, reason }) => ({
      action: `home.${change}`,
      about: home,
      summary: changeWords[change]?.(home, kids) ?? `${home} changed`,
      reason,
    }),
  },
} satisfies Family;

const changeWords: Record<string, (home: string, kids: readonly string[]) => string> = {
  unset: (home) => `The setting decides whether ${home} is talked with`,
  open: (home) => `${home} is talked with`,
  limited: (home) => `${home} is talked with, and nobody there counts as known`,
  blocked: (home) => `${home} is blocked`,
  key_change: (home) =>
    `${home} has keys that none of its known keys vouches for; they wait for a word, or seven days`,
  keys_revoked: (home, kids) =>
    `${kids.length === 1 ? `A key of ${home} vouches` : `${kids.length} keys of ${home} vouch`} for nothing any more`,
  began_anew: (home) =>
    `Another home is under the name ${home}: all that was known of the one before is void`,
};
