import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { deleteSessionsOf } from '../../shared/db/sessions.ts';

/** Ends all sessions of a person except the calling one. Returns the count. */
export async function endOtherSessions(
  tx: UnitOfWork,
  person: string,
  { session }: Pick<Caller, 'session'>,
): Promise<number> {
  const ended = await deleteSessionsOf(tx, person, session === '' ? null : session);
  tx.signal('credentials', ...ended);
  return ended.length;
}
