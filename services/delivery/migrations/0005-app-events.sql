-- What apps are sent: one partition for each week (UTC, from its Monday), kept 30 days.
create table app_events (
  app uuid not null,
  -- Rises for each app; given out under the lock of its row in app_streams.
  number bigint not null,
  -- As receivers see it, and the moment of what happened: together the same each time that it is heard.
  id uuid not null,
  at timestamptz not null,
  type text not null,
  -- The group or person that it is about: such events follow on each other.
  order_key uuid not null,
  -- Exactly what is sent.
  body text not null,
  -- hearth.delivery.v1.DeliveryState; 1: waiting, 2: delivered, 3: failed, 4: not sent.
  status smallint not null,
  -- Of what waits.
  due_at timestamptz,
  -- account.deleted, until the app confirms it: goes on each day, also once it was taken.
  unconfirmed boolean not null,
  -- On its way once more, because the app asked for it: says nothing of the address's health.
  replay boolean not null default false,
  -- Attempts since it was stored, or asked for once more.
  tries smallint not null default 0,
  attempt_count integer not null default 0,
  -- The newest of them: [{"at", "status", "ms", "error"}, ...].
  attempts jsonb not null default '[]',
  primary key (app, id, at)
) partition by range (at);
create index app_events_number on app_events (app, number);
create index app_events_waiting on app_events (app, replay, due_at, number) where status = 1;
create index app_events_failed on app_events (app, number) where status = 3;
create index app_events_unconfirmed on app_events (app) where unconfirmed;

-- What comes before a week's partition was made, or outlives it, is kept here.
create table app_events_other partition of app_events default;

-- What is known of the address of each app.
create table app_streams (
  app uuid primary key,
  last_number bigint not null default 0,
  -- The latest moment that an event was made due at, so that those that follow are not due before.
  last_due_at timestamptz not null default '-infinity',
  -- Since when every attempt failed; null: the last one was a success, or there was none.
  failing_since timestamptz,
  -- Since when nothing is sent there, and why: failing, gone.
  disabled_at timestamptz,
  disabled_why text,
  -- When the app's contact is to be told so; null: nobody is, or they were.
  mail_due_at timestamptz,
  mail_tries smallint not null default 0
);
create index app_streams_mail_due on app_streams (mail_due_at) where mail_due_at is not null;
create index app_streams_disabled on app_streams (disabled_at) where disabled_at is not null;

-- Groups of others that an app knows, because group.created was sent to it.
create table app_groups (
  app uuid not null,
  group_id uuid not null,
  primary key (app, group_id)
);
create index app_groups_group on app_groups (group_id);

create function make_app_partition(monday date) returns void language plpgsql as $$
declare
  name text := 'app_events_' || to_char(monday, 'YYYYMMDD');
  starts timestamptz := monday::timestamp at time zone 'UTC';
  ends timestamptz := (monday + 7)::timestamp at time zone 'UTC';
begin
  if to_regclass('delivery.' || name) is not null then return; end if;
  -- A partition cannot be made while the default one holds rows of its week.
  execute format('create table delivery.%I (like delivery.app_events including all)', name);
  execute format(
    'with moved as (delete from delivery.app_events_other where at >= %L and at < %L returning *)
     insert into delivery.%I select * from moved', starts, ends, name);
  execute format('alter table delivery.app_events attach partition delivery.%I for values from (%L) to (%L)', name, starts, ends);
end $$;

-- Drops the weeks that were over before that moment. Deletions that an app has not confirmed stay.
create function drop_app_partitions(before timestamptz) returns void language plpgsql as $$
declare
  partition record;
begin
  for partition in
    select relname from pg_class join pg_inherits on inhrelid = pg_class.oid
    where inhparent = 'delivery.app_events'::regclass and relname ~ '^app_events_[0-9]{8}$'
      and ((to_date(right(relname, 8), 'YYYYMMDD') + 7)::timestamp at time zone 'UTC') <= before
  loop
    execute format('alter table delivery.app_events detach partition delivery.%I', partition.relname);
    execute format('insert into delivery.app_events_other select * from delivery.%I where unconfirmed', partition.relname);
    execute format('drop table delivery.%I', partition.relname);
  end loop;
  delete from delivery.app_events_other where at < before and not unconfirmed;
end $$;
