import { fragment, named, type Tx } from '@hearth/db';

/** A person with new requests. */
export interface NewRequests {
  /** uuid */
  person: string;
  count: number;
}

export const nextRequestNotice = fragment`
  select min(due_at) from approvals.request_notices where due_at is not null`;

/**
 * Takes the notices that are due, each with the number of requests since the last notice; 0 if all are
 * settled.
 */
export async function takeDueNotices(tx: Tx, now: Date, limit: number): Promise<NewRequests[]> {
  return await tx.query<NewRequests>(named('approvals_take_request_notices')`
    with due as (
      select person, coalesce(told_at, '-infinity') as before from approvals.request_notices
      where due_at <= ${now} order by due_at, person limit ${limit} for update skip locked),
    counted as (
      select d.person, (
        select count(*)::int from approvals.items i
        where i.owner = d.person and i.holder is null and i.box = 'requests' and i.closed_at is null
          and (i.expires is null or i.expires > ${now})
          and (i.kind = 'message' and i.noted_at > d.before
            -- Of other asks a notice of their own tells.
            or i.kind = 'approval' and i.since > d.before and exists (
              select 1 from approvals.recipients r
              where r.approval = i.id and r.position = i.part and r.handling = 'waiting_quietly'))) as count
      from due d),
    taken as (
      update approvals.request_notices n
      set due_at = null, told_at = case when c.count > 0 then ${now} else n.told_at end
      from counted c where n.person = c.person)
    select person, count from counted`);
}

/** Forgets a deleted person. */
export async function forgetNotice(tx: Tx, person: string): Promise<void> {
  await tx.execute(named('approvals_forget_request_notice')`
    delete from approvals.request_notices where person = ${person}`);
}
