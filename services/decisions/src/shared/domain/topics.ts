/** Woken when what waits for that viewer (uuid) changed. */
export function seatTopic(viewer: string): string {
  return `decisions:${viewer}`;
}
