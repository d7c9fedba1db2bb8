import { sizeOf } from '@hearth/limits';
import type { Context } from '../../messages/context.ts';

const usual = 20;

/** How many entries a page has: what was asked for (as many as its field allows), or 20 where the home allows it. */
export function pageSize({ limits }: Pick<Context, 'limits'>, limit: number): number {
  return limit === 0 ? Math.min(usual, sizeOf(limits, 'page_entries')) : limit;
}
