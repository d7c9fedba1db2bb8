const dayMs = 86_400_000;

/** For so long a no holds; then the app may ask again. */
const declinedDays = 30;

export interface LinkState {
  askedAt: Date;
  answeredAt: Date | null;
  accepted: boolean | null;
}

/**
 * The state of an app's wish to hold a person whom it does not hold: it waits already, was declined of late, or
 * is to ask (for the first time, again, or after the person has moved away).
 */
export function stateOfLink(link: LinkState | null, now: Date): 'waiting' | 'declined' | 'ask' {
  if (link === null) return 'ask';
  if (link.answeredAt === null) return 'waiting';
  const since = now.getTime() - link.answeredAt.getTime();
  return link.accepted === false && since < declinedDays * dayMs ? 'declined' : 'ask';
}
