-- Services of the first version made their outboxes themselves, in this form.
create table if not exists outbox (
  id uuid primary key,
  type text not null,
  event bytea not null,
  created_at timestamptz not null default now(),
  published_in text,
  -- Until then the row is in the hands of a process: the one that wrote it, or one that sweeps.
  claimed_until timestamptz not null default now() + interval '10 seconds'
);
create index if not exists outbox_unpublished on outbox (id) where published_in is null;

alter table outbox
  -- What was published is kept for a while from then on; null in rows that an older version published.
  add column published_at timestamptz,
  -- Where the log has it: in one row of those that were published together, the one that went last.
  add column log_position bigint,
  -- The process that has claimed it, by the name of its connections: once these are gone, another one takes it at once.
  add column claimed_by text,
  -- Why it is not published any more, until an operator sets it to null.
  add column set_aside text;

-- On its own, so that rows which are there already have none.
alter table outbox alter column claimed_by set default current_setting('application_name');
