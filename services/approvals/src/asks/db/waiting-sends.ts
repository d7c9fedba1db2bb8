import { fragment, named, type Tx } from '@hearth/db';

/** A callback or mail left in the tables by the previous version. */
export interface WaitingSend {
  kind: 'callback' | 'ask_mail' | 'ask_reminder';
  /** uuid of the approval. */
  id: string;
  part: number;
  /** uuid; empty for a mail. */
  asker: string;
}

export const nextWaitingSend = fragment`
  select least(
    (select min(next_at) from approvals.callbacks where status = 'waiting'),
    (select min(mail_next_at) from approvals.recipients where mail_next_at is not null))`;

/** Removes due sends from these tables, at most `limit` of each kind, and returns them. */
export async function takeWaitingSends(tx: Tx, now: Date, limit: number): Promise<WaitingSend[]> {
  return await tx.query<WaitingSend>(named('approvals_take_waiting_sends')`
    with callbacks as (
      update approvals.callbacks c set status = 'handed_over' from approvals.approvals a
      where a.id = c.approval and c.ctid = any(array(
        select ctid from approvals.callbacks where status = 'waiting' and next_at <= ${now}
        order by next_at limit ${limit} for update skip locked))
      returning c.approval as id, a.asker),
    mails as (
      update approvals.recipients r set mail_next_at = null from approvals.approvals a
      where a.id = r.approval and r.ctid = any(array(
        select ctid from approvals.recipients where mail_next_at <= ${now}
        order by mail_next_at limit ${limit} for update skip locked))
      returning r.approval as id, r.position, a.reminded_at is not null or r.mailed_at is not null as reminded)
    select 'callback' as kind, id, 0 as part, coalesce(asker::text, '') as asker from callbacks
    union all
    select case when reminded then 'ask_reminder' else 'ask_mail' end, id, position, '' from mails`);
}
