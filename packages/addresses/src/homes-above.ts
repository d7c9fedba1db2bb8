/** A home and its parent domains, nearest first: a block of any of them covers the home. */
export function homesAbove(home: string): string[] {
  const labels = home.split('.');
  // A top-level domain is never a home.
  const most = Math.max(1, labels.length - 1);
  return Array.from({ length: most }, (_, index) => labels.slice(index).join('.'));
}
