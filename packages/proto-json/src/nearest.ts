const longestWord = 64;

/**
 * Returns the candidate that `word` was probably meant to be, or null if none is close. Ignores case, and treats `-`,
 * space and `_` alike, so that `replyTo` finds `reply_to`. At most a third of the letters may differ; swapped
 * neighbours count as one mistake.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > longestWord) return null;
  const wanted = fold(word);
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const other = fold(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
    if (other.length > longestWord || Math.abs(other.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, other);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[\s-]/g, '_');
}

/**
 * Counts the insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string
 * alignment).
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
