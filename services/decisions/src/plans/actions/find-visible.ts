import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import { idHere } from '../../shared/actions/elsewhere.ts';
import { requireStarter } from '../../shared/actions/find-group.ts';
import { findTold } from '../../shared/actions/find-told.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { starterOf } from '../../shared/domain/starter.ts';
import type { Context } from '../context.ts';
import type { WholePlan } from '../db/plans.ts';
import { advance } from './advance.ts';

/**
 * The plan of that id, for a caller who may see it, with all done that is due about it.
 *
 * @param reference pln_ id, or r:<home>:<id>
 * @param told whether an app by itself may see also one of whose outcome alone it is told
 * @throws not_found for every other; bad_field for one of another home
 */
export async function findVisible(
  context: Context,
  reference: string,
  caller: Caller,
  told = false,
): Promise<WholePlan> {
  const { plans } = context;
  const id = parseId('pln', idHere(reference, context.homeNames));
  if (id === null) throw notFound();
  const found =
    (await plans.findSeen(id, viewerIdOf(caller))) ??
    (told ? await findTold(context, plans, id, caller) : null);
  if (found === null) throw notFound();
  return await advance(context, found);
}

/** The same for the proposer, and for the organizers of its group. @throws forbidden for the other people of it */
export async function findRun(context: Context, reference: string, caller: Caller): Promise<WholePlan> {
  const found = await findVisible(context, reference, caller);
  if (caller.id !== found.row.starter)
    await requireStarter(context, found.row.group, starterOf(found.row), viewerIdOf(caller));
  return found;
}
