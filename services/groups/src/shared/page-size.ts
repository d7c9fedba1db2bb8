import { sizeOf } from '@hearth/limits';
import type { Context } from '../groups/context.ts';

const usual = 20;

/** How many entries a page has: what was asked for (as many as its field allows), or 20 where the home allows it. */
export function pageSize({ limits }: Pick<Context, 'limits'>, limit: number | undefined): number {
  const most = sizeOf(limits, 'page_entries');
  return Math.min(limit ?? usual, most);
}
