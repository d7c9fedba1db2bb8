import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import { idHere } from '../../shared/actions/elsewhere.ts';
import type { Context } from '../context.ts';
import { type AgreementRow, findSeen } from '../db/agreements.ts';
import { changeHere } from './change.ts';

/**
 * The local agreement at this reference, with overdue changes applied so that a late job never exposes a
 * stale state.
 *
 * @param reference agr_ id, or r:<home>:<id>
 * @throws not_found unless the caller may see it; bad_field for a remote agreement (use `findCopy`)
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
