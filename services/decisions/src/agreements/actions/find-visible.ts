import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import { idHere } from '../../shared/actions/elsewhere.ts';
import type { Context } from '../context.ts';
import { type AgreementRow, findSeen } from '../db/agreements.ts';
import { changeHere } from './change.ts';

/**
 * The agreement of that id, for a caller who may see it, with all done that is due about it, so that a late job shows no
 * state that is over.
 *
 * @param reference agr_ id, or r:<home>:<id>
 * @throws not_found for every other; bad_field for one of another home, of which `findCopy` finds the copy
 */
export async function findVisible(
  context: Context,
  reference: string,
  caller: Caller,
): Promise<AgreementRow> {
  const { clock, database, homeNames } = context;
  const id = parseId('agr', idHere(reference, homeNames));
  const row = id === null ? null : await findSeen(database.db, id, caller.id);
  if (row === null) throw notFound();
  if (row.due_at === null || row.due_at.getTime() > clock.now()) return await context.signing.now(row);
  return await changeHere(context, row.id, passTime);
}

export const passTime = () => ({ kind: 'pass' }) as const;
