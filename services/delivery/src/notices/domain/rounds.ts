import type { Addressed } from './notice.ts';

/** The same thing for the same person goes by its time, one to a round: the rest after one decides about the next. */
export function roundsOf(addressed: readonly Addressed[]): Addressed[][] {
  const rounds: Addressed[][] = [];
  const before = new Map<string, number>();
  for (const one of [...addressed].sort((a, b) => a.notice.at.getTime() - b.notice.at.getTime())) {
    const { person, about, item, kind } = one.notice;
    const key = `${person} ${about} ${item} ${kind}`;
    const round = before.get(key) ?? 0;
    before.set(key, round + 1);
    if (rounds[round] === undefined) rounds.push([]);
    rounds[round]!.push(one);
  }
  return rounds;
}
