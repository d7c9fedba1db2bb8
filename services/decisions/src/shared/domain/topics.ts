/** Woken when that thing (uuid) changes. */
export function thingTopic(kind: 'agreement' | 'decision' | 'meeting' | 'plan', id: string): string {
  return `${kind}:${id}`;
}

/** Those of a thing and of its viewers (uuids). */
export function topicsOf(kind: Parameters<typeof thingTopic>[0], id: string, viewers: Iterable<string>) {
  return [thingTopic(kind, id), ...[...viewers].map(seatTopic)];
}

/** Woken when what waits for that viewer (uuid) changed. */
export function seatTopic(viewer: string): string {
  return `decisions:${viewer}`;
}
