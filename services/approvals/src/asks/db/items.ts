import { type Fragment, fragment, raw } from '@hearth/db';

/** The recipient has a list and has yet to answer. */
const waits = fragment`r.owner is not null and r.decision = 'waiting' and r.status = 'waiting' and r.act is null`;

/**
 * Upserts the items of waiting recipients that a statement wrote; existing items move to the new owner and
 * box.
 *
 * @param recipients a table, or the rows that the statement returned
 * @param asks the same for their approvals
 */
export function placeItems(recipients: string, asks = 'approvals.approvals'): Fragment {
  return fragment`
    insert into approvals.items (kind, id, part, owner, holder, box, label, since, expires, senders, subject)
    select 'approval', r.approval, r.position, r.to_owner,
      case
        -- What waits for a child shows to no AI of theirs, and what waits for an AI shows to all who act for its person.
        when r.box = 'requests' and r.minor then r.owner
        when r.box = 'requests' and r.kind = 'ai' then null
        else nullif(r.owner, r.to_owner)
      end,
      r.box, r.request_kind, r.asked_at, a.expires_at,
      array_remove(array[a.asker, nullif(a.asker_person, a.asker)], null),
      case when r.kind = 'ai' then r.recipient else r.guards end
    from (
      select *, case when kind = 'ai' then coalesce(person, recipient) else coalesce(recipient, owner) end as to_owner
      from ${raw(recipients)}) r
    join ${raw(asks)} a on a.id = r.approval
    where ${waits}
    on conflict (kind, id, part) do update set owner = excluded.owner, holder = excluded.holder, box = excluded.box,
      label = excluded.label, subject = excluded.subject`;
}

/** Closes the items of recipients that a statement wrote. */
export function closeItems(recipients: string): Fragment {
  return fragment`
    delete from approvals.items i using ${raw(recipients)} r
    where i.kind = 'approval' and i.id = r.approval and i.part = r.position`;
}

/** Closes all items of approvals that a statement settled. */
export function closeAllItems(settled: string): Fragment {
  return fragment`delete from approvals.items i using ${raw(settled)} s where i.kind = 'approval'
    and i.id = s.id`;
}
