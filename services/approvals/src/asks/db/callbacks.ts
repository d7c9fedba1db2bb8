import { type Db, named, type Tx } from '@hearth/db';

/** A POST of a settled approval, requested by its asker. */
export interface CallbackRow {
  approval: string;
  url: string;
  /** The same for every attempt. */
  body: string;
  asker: string;
  askerKind: string;
  /** uuid of the asker, or of the AI's owner when it asked; null for an AI without an owner. */
  askerPerson: string | null;
}

export async function findCallbacks(db: Db, approvals: readonly string[]): Promise<CallbackRow[]> {
  return await db.query<CallbackRow>(named('approvals_find_callbacks')`
    select c.approval, c.url, c.body, a.asker, a.asker_kind as "askerKind", a.asker_person as "askerPerson"
    from approvals.callbacks c join approvals.approvals a on a.id = c.approval
    where c.approval = any(${approvals}::uuid[])`);
}

/** Deletes callbacks created before `moment`, at most `limit`. Returns their number. */
export async function deleteCallbacksBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute(named('approvals_delete_callbacks')`
    delete from approvals.callbacks where approval in (
      select approval from approvals.callbacks where status <> 'waiting' and created_at < ${moment}
      limit ${limit} for update skip locked)`);
}
