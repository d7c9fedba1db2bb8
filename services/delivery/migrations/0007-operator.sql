-- What the operator lists: the newest sends of each status, and the addresses that have failed for longest.
create index app_events_newest on app_events (status, at, app, id);
create index subscription_sends_newest on subscription_sends (status, at, subscription, event_id);
create index mails_failed on mails (at, person, id) where due_at is null and sent_at is null;
create index app_streams_troubled on app_streams (coalesce(failing_since, disabled_at), app)
  where coalesce(failing_since, disabled_at) is not null;
create index subscriptions_troubled on subscriptions (coalesce(failed_since, suspended_at), id)
  where coalesce(failed_since, suspended_at) is not null and ended_at is null;

-- Of the attempts that count for or against an app's address.
alter table app_streams add column last_error text, add column last_delivery_at timestamptz;

-- What the operator did is announced, for the log and for those whom it concerns.
create table outbox (
  id uuid primary key,
  type text not null,
  event bytea not null,
  created_at timestamptz not null default now(),
  claimed_until timestamptz not null default now() + interval '10 seconds',
  published_in text
);
create index outbox_unpublished on outbox (id) where published_in is null;
