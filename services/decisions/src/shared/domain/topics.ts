/** Woken when that thing (uuid) changes. */
export function thingTopic(kind: 'agreement' | 'decision' | 'meeting' | 'plan', id: string): string {
  return `${kind}:${id}`;
}

/** Woken when what waits for that viewer (uuid) changed. */
export function seatTopic(viewer: string): string {
  return `decisions:${viewer}`;
}
