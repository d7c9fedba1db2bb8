const usual = 20;

/** How many entries a page has: what was asked for (1 to 100, as declared), or 20. */
export function pageSize(limit: number): number {
  return limit === 0 ? usual : limit;
}
