/** Woken when the thing (uuid) changes. */
export function thingTopic(kind: 'agreement' | 'decision' | 'meeting' | 'plan', id: string): string {
  return `${kind}:${id}`;
}

/** The topics of a thing and its viewers (uuids). */
export function topicsOf(kind: Parameters<typeof thingTopic>[0], id: string, viewers: Iterable<string>) {
  return [thingTopic(kind, id), ...[...viewers].map(seatTopic)];
}

/** Woken when the list of things waiting for the viewer (uuid) changes. */
export function seatTopic(viewer: string): string {
  return `decisions:${viewer}`;
}
