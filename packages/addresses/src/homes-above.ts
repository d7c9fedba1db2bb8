/** A home and the domains above it, the nearest first: a block of one of these covers the home. */
export function homesAbove(home: string): string[] {
  const labels = home.split('.');
  // A top-level domain is no home.
  const most = Math.max(1, labels.length - 1);
  return Array.from({ length: most }, (_, index) => labels.slice(index).join('.'));
}
