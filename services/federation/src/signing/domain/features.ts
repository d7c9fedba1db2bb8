/** Features that others may rely on, for the home document. A change that builds a feature enables it here. */
export const features = {
  sign_up: true,
  cards: true,
  messages: true,
  asks: true,
  commons: true,
  agreements: true,
  meetings: true,
  plans: true,
  decisions: true,
  groups: true,
  people: true,
  apps: true,
  wake_ups: true,
  mcp: true,
  oauth: true,
  /** The inbox for other homes. */
  federation: true,
} as const;
