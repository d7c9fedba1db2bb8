-- What waits for a person: asks, messages and invites, each as its source placed it.
create table items (
  -- approval, message, invite
  kind text not null,
  id uuid not null,
  -- Of an ask: the position of the recipient.
  part smallint not null default 0,
  -- uuid of the recipient, or of the responsible person of an AI; null for one that was closed before it was placed.
  owner uuid,
  -- uuid of the viewer who has it in the owner's place: the AI at the front door, the guardian; the owner, when none of
  -- their AIs sees it. Null: the owner and their AIs see it.
  holder uuid,
  -- inbox, requests, front_door
  box text,
  -- personal, introduction, recruiting, sales, offer, other
  label text,
  since timestamptz,
  -- Null: never.
  expires timestamptz,
  -- uuids of the sender, and of the person behind it.
  senders uuid[] not null default '{}',
  -- uuid of the child whom an ask concerns, or of the AI that is asked.
  subject uuid,
  -- It waits no longer. The row stays for a while, so that a late word does not bring the item back.
  closed_at timestamptz,
  primary key (kind, id, part),
  check (closed_at is not null or (owner is not null and box is not null and label is not null and since is not null))
);

-- For a page of the requests box: one part for each label.
create index items_own on items (owner, label, since desc, id desc)
  where holder is null and box <> 'inbox' and closed_at is null;
create index items_held on items (holder, label, since desc, id desc)
  where holder is not null and box <> 'inbox' and closed_at is null;
-- For counts, moves and blocks.
create index items_owner on items (owner, box) where closed_at is null;
create index items_holder on items (holder, box) where holder is not null and closed_at is null;
create index items_subject on items (subject) where subject is not null and closed_at is null;
create index items_closed on items (closed_at) where closed_at is not null;

insert into items (kind, id, part, owner, holder, box, label, since, expires, senders, subject)
select 'approval', r.approval, r.position, r.to_owner,
  case
    when r.box = 'requests' and r.minor then r.owner
    when r.box = 'requests' and r.kind = 'ai' then null
    else nullif(r.owner, r.to_owner)
  end,
  r.box, r.request_kind, r.asked_at, a.expires_at,
  array_remove(array[a.asker, nullif(a.asker_person, a.asker)], null),
  case when r.kind = 'ai' then r.recipient else r.guards end
from (
  select *, case when kind = 'ai' then coalesce(person, recipient) else coalesce(recipient, owner) end as to_owner
  from recipients where owner is not null and decision = 'waiting' and status = 'waiting') r
join approvals a on a.id = r.approval;

-- Their readers ask the items.
drop index recipients_requests;
drop index recipients_person_requests;
drop index recipients_person_open;
drop index recipients_recipient_open;
drop index recipients_guarded;
