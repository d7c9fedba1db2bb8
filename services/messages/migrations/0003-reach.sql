-- Of what waits in somebody's requests: whose requests they are (the recipient, or their person), the person behind the
-- sender, who sees it first when that is another (an AI at the front door in box 3, a guardian in box 2), and the kind
-- as which the sender counts for them, when it differs from what the sender said.
alter table messages add column person uuid, add column sender_person uuid, add column holder uuid,
  add column counts_as smallint;

-- What somebody else sees first is not among the recipient's unread messages.
drop index messages_unread;
create index messages_unread on messages (recipient, recipient_seq)
  where read_at is null and retracted_at is null and recipient_deleted_at is null and holder is null;

create index messages_requests on messages (person, at desc, id desc)
  where box in (2, 3) and holder is null and retracted_at is null and recipient_deleted_at is null;
create index messages_held on messages (holder, at desc, id desc)
  where holder is not null and retracted_at is null and recipient_deleted_at is null;
create index messages_at_front_door on messages (recipient, at desc, id desc)
  where box = 3 and recipient_deleted_at is null;

-- The owner took the thread out of their requests: what goes on in it comes to the inbox.
alter table threads add column accepted boolean not null default false;

-- Whom somebody blocks, as they said last: an AI that nobody owns is written to without asking anybody else.
create table blocks (
  owner uuid not null,
  target uuid not null,
  blocked boolean not null,
  changed_at timestamptz not null,
  primary key (owner, target)
);
