-- Homes that are sent to, for the engine of packages/outbound.
create table destinations (
  -- 1: a home.
  kind smallint not null,
  -- Of its log.
  id uuid not null,
  -- When it is to be looked at; null: nothing waits, or a process has it in hand.
  due_at timestamptz,
  -- Rises with each touch, so that whoever has it in hand does not let go of what came meanwhile.
  version bigint not null default 0,
  -- The process that has it in hand, and until when unless renewed, by the database's clock: the one that all share.
  lease uuid,
  leased_until timestamptz,
  -- Since when nothing was taken there; null: the last attempt was a success.
  failing_since timestamptz,
  primary key (kind, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index destinations_due on destinations (due_at) where due_at is not null and failing_since is null;
create index destinations_failing_due on destinations (due_at) where due_at is not null and failing_since is not null;
create index destinations_leased on destinations (leased_until) where leased_until is not null;

-- The two logs with each other home: the one that is sent, and how far the one that comes is settled.
create table logs (
  home text primary key,
  -- In `destinations`.
  destination uuid not null unique,
  -- The Unix second at which the numbering began; 0: nothing was numbered yet.
  epoch bigint not null default 0,
  -- The number given last, and the highest that the other home has settled.
  last_seq bigint not null default 0,
  settled_seq bigint not null default 0,
  -- A new epoch begins with the next push, not before that moment; it lies above this one.
  renew_at timestamptz,
  renew_above bigint not null default 0,
  -- Pushes without an answer in a row, since when, and when the next one is due.
  attempts integer not null default 0,
  failing_since timestamptz,
  due_at timestamptz,
  -- The other home asked for a pause (Retry-After, a 403), which no nudge ends.
  hold_until timestamptz,
  denied boolean not null default false,
  last_error text,
  -- Up to this number items go one by one: the other home could not read them together.
  one_by_one bigint not null default 0,
  -- This home's log was restored from an older state: the span that its people and AIs may have lost, in words.
  restored text,
  restored_at timestamptz,
  -- What comes from that home.
  in_epoch bigint not null default 0,
  in_seq bigint not null default 0,
  pulled_at timestamptz
);

-- Items for other homes; kept for 30 days after they were settled.
create table sent_items (
  home text not null,
  epoch bigint not null,
  seq bigint not null,
  -- uuid of the event that brought it, or a new one.
  event uuid not null,
  -- Without r: and the home.
  id text not null,
  rev bigint not null,
  -- message, state, act, result, erased, notice or skip.
  type text not null,
  -- The service that hears what becomes of it; empty: none.
  service text not null,
  -- The key by which it is signed.
  kid text not null,
  -- The signed item as it is sent.
  item text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  settled_at timestamptz,
  -- Of what was refused or given up.
  why text,
  primary key (home, epoch, seq)
) with (autovacuum_vacuum_scale_factor = 0.05);
create unique index sent_items_of_event on sent_items (home, event);
create index sent_items_of_id on sent_items (home, id);
create index sent_items_open on sent_items (home, epoch, seq) where settled_at is null;
create index sent_items_settled on sent_items (settled_at) where settled_at is not null;

-- Items from other homes: known by id and rev, so that none has its effect twice.
create table received_items (
  home text not null,
  id text not null,
  rev bigint not null,
  type text not null,
  -- The service that has it; empty: federation itself.
  service text not null,
  -- SHA-256 over what makes two items equal.
  digest bytea not null,
  -- While it waits: the item as JSON. `queued` waits for its service, with all that came to that service after it.
  item text,
  queued boolean not null default false,
  attempts integer not null default 0,
  due_at timestamptz,
  number bigserial,
  received_at timestamptz not null,
  primary key (home, id, rev)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index received_items_due on received_items (due_at) where due_at is not null;
create index received_items_waiting on received_items (home, service, number) where item is not null;
create index received_items_old on received_items (received_at);

-- Objects that their homes erased, remembered for 400 days by SHA-256 of their reference.
create table erased_ids (
  hash bytea primary key,
  until timestamptz not null
);

-- Nonces of requests, until they count no more.
create table nonces (
  -- SHA-256 over home, kid and nonce.
  hash bytea primary key,
  until timestamptz not null
);
create index nonces_until on nonces (until);
