-- Everyone who ever sent or received: numbers what arrives and leaves, under the row's lock.
create table mailboxes (
  owner uuid primary key,
  -- The number of the newest message that the owner sent or received.
  last_seq bigint not null,
  -- How many received messages are unread, not deleted and not taken back.
  unread bigint not null check (unread >= 0)
) with (fillfactor = 50);

-- A direct message between two: one row carries the state of both sides.
create table messages (
  id uuid primary key,
  thread uuid not null,
  sender uuid not null,
  recipient uuid not null check (recipient <> sender),
  -- Its number in the mailbox of each side.
  sender_seq bigint not null,
  recipient_seq bigint not null,
  -- Its number in the mailbox of the side with the smaller id: the order of the thread, the same for both.
  thread_seq bigint not null,
  -- Names and addresses as they were when it was sent.
  sender_address text not null,
  sender_name text not null,
  sender_status smallint not null,
  recipient_address text not null,
  title text,
  body text not null,
  -- Not jsonb, which refuses the character U+0000: what a sender passes on is kept as it was.
  data json,
  reply_to uuid,
  request_kind smallint not null,
  via smallint not null,
  -- Where the recipient finds it.
  box smallint not null,
  at timestamptz not null,
  read_at timestamptz,
  retracted_at timestamptz,
  sender_deleted_at timestamptz,
  recipient_deleted_at timestamptz
);

create unique index messages_received on messages (recipient, recipient_seq);
create unique index messages_sent on messages (sender, sender_seq);
create unique index messages_of_thread on messages (thread, thread_seq);
create index messages_unread on messages (recipient, recipient_seq)
  where read_at is null and retracted_at is null and recipient_deleted_at is null;

-- A thread as one of its two sides sees it.
create table threads (
  owner uuid not null,
  id uuid not null,
  other uuid not null,
  other_address text not null,
  -- The number of its newest message in the owner's mailbox.
  last_seq bigint not null,
  last_at timestamptz not null,
  box smallint not null,
  primary key (owner, id)
) with (fillfactor = 70);

create index threads_newest on threads (owner, last_seq);

-- Whom the owner has written to: they are no strangers to each other any more.
create table contacts (
  owner uuid not null,
  other uuid not null,
  since timestamptz not null,
  primary key (owner, other)
);

-- Idempotency keys, for seven days.
create table requests (
  caller uuid not null,
  operation text not null,
  request_id text not null,
  -- SHA-256 of the request's body.
  digest bytea not null,
  message uuid not null,
  at timestamptz not null,
  primary key (caller, operation, request_id)
);

create index requests_at on requests (at);

create table outbox (
  id uuid primary key,
  type text not null,
  event bytea not null,
  created_at timestamptz not null default now(),
  claimed_until timestamptz not null default now() + interval '10 seconds',
  published_in text
);

create index outbox_unpublished on outbox (id) where published_in is null;
