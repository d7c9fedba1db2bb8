-- Addresses that are sent to. What is to be sent stands with each kind of send.
create table destinations (
  -- 1: an app, 2: a subscription.
  kind smallint not null,
  -- Of the app or subscription.
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

-- Wake-ups over webhooks: one row for an AI, event, address and group, for ever the same id.
create table subscriptions (
  id uuid primary key,
  ai uuid not null,
  name text not null,
  group_id uuid,
  url text not null,
  -- Sealed; the one before goes on signing until the moment beside it.
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  -- Nothing older is sent; null: no bound.
  max_age_ms bigint,
  refresh_before timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  suspended_at timestamptz,
  failed_since timestamptz,
  last_delivery_at timestamptz,
  last_error text,
  abandoned_in_row integer not null default 0,
  -- Attempts of the last hour: [[slot of five minutes, attempts, failures], ...].
  recent jsonb not null default '[]',
  -- The place before the first wake-up that was given up and not yet told of; null: none.
  gap_from bigint
);
create index subscriptions_of_ai on subscriptions (ai) where ended_at is null;
create index subscriptions_lapsing on subscriptions (refresh_before) where ended_at is null;
create index subscriptions_ended on subscriptions (ended_at) where ended_at is not null;

create table subscription_sends (
  subscription uuid not null,
  -- 1: a wake-up, 2: gap, 3: terminated.
  kind smallint not null,
  -- The wake-up's place in the stream; 0 for the others, of which one waits at a time.
  number bigint not null,
  -- As receivers see it; of the others a uuid of their own.
  event_id uuid not null,
  at timestamptz not null,
  data jsonb not null,
  -- 1: waiting, 2: delivered, 3: given up.
  status smallint not null default 1,
  attempts smallint not null default 0,
  -- Of what waits; null: until the address is used again.
  due_at timestamptz,
  last_error text,
  settled_at timestamptz,
  primary key (subscription, kind, number)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index subscription_sends_due on subscription_sends (subscription, due_at) where status = 1;
create index subscription_sends_open on subscription_sends (subscription, number) where status = 1 and kind = 1;
create index subscription_sends_settled on subscription_sends (settled_at) where status <> 1;

-- Addresses that gave back a challenge, for each AI that asked; remembered 30 days.
create table verified_addresses (
  ai uuid not null,
  url text not null,
  verified_at timestamptz not null,
  primary key (ai, url)
);

-- Subscriptions that were new, so that those of a day can be counted.
create table subscription_starts (
  ai uuid not null,
  at timestamptz not null
);
create index subscription_starts_of_ai on subscription_starts (ai, at);
