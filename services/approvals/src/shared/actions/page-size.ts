import { type Limits, sizeOf } from '@hearth/limits';

const usual = 20;

/** How many entries a page has: what was asked for (as many as its field allows), or 20 where the home allows it. */
export function pageSize({ limits }: { limits: Limits }, limit: number | undefined): number {
  return Math.min(limit ?? usual, sizeOf(limits, 'page_entries'));
}
