/** Woken when something is recorded for an AI, or when it changes hands. */
export function eventsTopic(ai: string): string {
  return `events:${ai}`;
}
