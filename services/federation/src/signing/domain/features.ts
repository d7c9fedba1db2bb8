/**
 * What this home does, for its document: what others may rely on, no plans. Whoever builds a part switches
 * it on here, in the same change.
 */
export const features = {
  sign_up: true,
  cards: true,
  messages: true,
  asks: true,
  commons: false,
  agreements: false,
  meetings: false,
  plans: false,
  decisions: false,
  groups: true,
  people: true,
  apps: true,
  wake_ups: true,
  mcp: true,
  oauth: true,
} as const;
