import { notFound } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import { idHere } from '../../shared/actions/elsewhere.ts';
import { findTold } from '../../shared/actions/find-told.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { readNumber } from '../domain/number.ts';
import { advance } from './advance.ts';

/**
 * The decision of that number, for a caller who may see it, with all done that is due about it.
 *
 * @param reference the number, or r:<home>:<number>
 * @param told whether an app by itself may see also one of whose outcome alone it is told
 * @throws not_found for every other; bad_field for one of another home
 */
export async function findVisible(
  context: Context,
  reference: string,
  caller: Caller,
  told = false,
): Promise<WholeDecision> {
  const { decisions } = context;
  const number = readNumber(idHere(reference, context.homeNames));
  if (number === null) throw notFound();
  const found =
    (await decisions.findSeen(number, viewerIdOf(caller))) ??
    (told ? await findTold(context, decisions, number, caller) : null);
  if (found === null) throw notFound();
  return await advance(context, found);
}
