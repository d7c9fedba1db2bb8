import { localId } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { readNumber } from '../domain/number.ts';
import { advance } from './advance.ts';

/**
 * The decision of that number, for a caller who may see it, with all done that is due about it.
 *
 * @param reference the number, or r:<home>:<number>
 * @throws not_found for every other; not_built for one of another home
 */
export async function findVisible(
  context: Context,
  reference: string,
  caller: Caller,
): Promise<WholeDecision> {
  const number = readNumber(localId(reference, context.homeNames));
  const found = number === null ? null : await context.decisions.findSeen(number, viewerIdOf(caller));
  if (found === null) throw notFound();
  return await advance(context, found);
}
