-- The outcome of an ask, posted to the address that its asker gave. Address and body stay with approvals.
create table callbacks (
  id uuid primary key,
  -- The destination: the person or AI that asked.
  asker uuid not null,
  approval uuid not null,
  -- When the ask settled.
  at timestamptz not null,
  -- 1: waiting, 2: delivered, 3: given up, 4: not sent.
  status smallint not null default 1,
  attempts smallint not null default 0,
  -- Of what waits.
  due_at timestamptz,
  -- Of the last attempt: why it failed, and to which origin it went.
  last_error text,
  origin text,
  settled_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0.05);
create index callbacks_due on callbacks (asker, due_at) where status = 1;
create index callbacks_newest on callbacks (status, at, asker, id);
create index callbacks_settled on callbacks (settled_at) where status <> 1;
