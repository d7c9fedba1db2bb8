import type { RecordingStream } from '../db/streams.ts';
import type { NewWakeUp } from '../db/wake-ups.ts';
import type { DraftedWakeUp } from './draft.ts';

/** The clocks of two processes differ by less. */
const mostSkewMs = 60_000;

/**
 * Returns the wake-ups of each AI, in the order of the drafts. An event wakes an AI once, for itself rather
 * than for its owner.
 *
 * @param streams of the AIs that listen; an event that is delivered again wakes no AI that began or resumed listening after it
 */
export function matchStreams(
  drafts: readonly DraftedWakeUp[],
  streams: readonly RecordingStream[],
): NewWakeUp[] {
  const byAi = new Map(streams.map((stream) => [stream.ai, stream]));
  const byPerson = Map.groupBy(streams, ({ person }) => person);
  const found = new Map<string, NewWakeUp & { direct: boolean }>();
  const add = (draft: DraftedWakeUp, stream: RecordingStream, direct: boolean) => {
    const { ai, person } = stream;
    const { id, at, name, groups, data, withoutOwner, by } = draft;
    if (ai === by || (person === null && !withoutOwner)) return;
    const from = direct ? stream.recordsFrom : stream.ownedFrom;
    if (at.getTime() < from.getTime() - mostSkewMs) return;
    const key = `${ai} ${id}`;
    if (found.get(key)?.direct !== true) found.set(key, { ai, id, at, name, groups, data, direct });
  };
  for (const draft of drafts) {
    for (const id of draft.ais) {
      const stream = byAi.get(id);
      if (stream !== undefined) add(draft, stream, true);
    }
    for (const id of draft.people) for (const stream of byPerson.get(id) ?? []) add(draft, stream, false);
  }
  return [...found.values()].map(({ direct, ...wakeUp }) => wakeUp);
}
