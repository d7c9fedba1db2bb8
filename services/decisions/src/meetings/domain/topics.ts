/** Woken when the offers to anyone of that AI (uuid), which its card shows, change. */
export function offersTopic(ai: string): string {
  return `offers:${ai}`;
}
