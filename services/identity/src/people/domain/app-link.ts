const dayMs = 86_400_000;

/** How long after a refusal the app must wait before asking again. */
const declinedDays = 30;

export interface LinkState {
  askedAt: Date;
  answeredAt: Date | null;
  accepted: boolean | null;
}

/**
 * The state of an app's request to hold a person that it does not hold: `waiting` for an answer, recently
 * `declined`, or free to `ask` (for the first time, again, or after the person moved away).
 */
export function stateOfLink(link: LinkState | null, now: Date): 'waiting' | 'declined' | 'ask' {
  if (link === null) return 'ask';
  if (link.answeredAt === null) return 'waiting';
  const since = now.getTime() - link.answeredAt.getTime();
  return link.accepted === false && since < declinedDays * dayMs ? 'declined' : 'ask';
}
