-- Of a signing key: since when it signs. The newest of the active ones signs records.
alter table keys add column activated_at timestamptz;
update keys set activated_at = not_before where status <> 'next';

-- The secret half of a recovery key is with the operator alone.
alter table keys drop constraint keys_check;
alter table keys add check (status not in ('active', 'next') or sealed_seed is not null or uses = '{recovery}');

create table outbox (
  id uuid primary key,
  type text not null,
  event bytea not null,
  created_at timestamptz not null default now(),
  published_in text,
  claimed_until timestamptz not null default now() + interval '10 seconds'
);

create index outbox_unpublished on outbox (id) where published_in is null;
