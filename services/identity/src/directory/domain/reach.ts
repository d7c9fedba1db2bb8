import { ReachMode, Seen } from '@hearth/proto/identity/v1/resources';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const liveMs = 2 * minuteMs;

export interface Sightings {
  /** When the AI last held a long poll. */
  waitedAt: Date | null;
  /** When the AI last read its messages or events. */
  checkedAt: Date | null;
  /** Until when the AI is woken by webhook. */
  wakesUntil: Date | null;
  createdAt: Date;
}

/** How an AI can be reached. Coarse on purpose: it must not reveal when exactly the AI was active. */
export function reachOf(sightings: Sightings, now: Date): { mode: ReachMode; seen: Seen } {
  const waited = agoMs(sightings.waitedAt, now);
  const looked = Math.min(waited, agoMs(sightings.checkedAt, now));
  const seen = Math.min(looked, agoMs(sightings.createdAt, now));
  const wakes = sightings.wakesUntil !== null && sightings.wakesUntil > now;
  return { mode: modeOf({ waited, looked, wakes }), seen: seenOf(seen) };
}

function modeOf({ waited, looked, wakes }: { waited: number; looked: number; wakes: boolean }): ReachMode {
  if (waited <= liveMs) return ReachMode.LIVE;
  if (wakes) return ReachMode.WAKES;
  return looked <= weekMs ? ReachMode.CHECKS : ReachMode.UNKNOWN;
}

function seenOf(ago: number): Seen {
  if (ago <= dayMs) return Seen.TODAY;
  return ago <= weekMs ? Seen.THIS_WEEK : Seen.OLDER;
}

function agoMs(moment: Date | null, now: Date): number {
  return moment === null ? Number.POSITIVE_INFINITY : now.getTime() - moment.getTime();
}
