-- What an AI is woken for is numbered, one after the other, under the lock of its row here. A row comes with the first
-- poll or subscription.
create table streams (
  ai uuid primary key,
  -- For whose items it is woken besides its own; null: nobody owns it.
  person uuid,
  -- It may read what it is woken for: it is not switched off, holds the permission, and its person may have AIs that act.
  open boolean not null,
  last_number bigint not null default 0,
  -- What came up to here belongs to other hands.
  floor_number bigint not null default 0,
  -- Whoever goes on from before this place missed something: nothing was recorded for a time.
  whole_number bigint not null default 0,
  -- Things are recorded until then, unless somebody asks for them before.
  active_until timestamptz not null,
  created_at timestamptz not null,
  -- When something was recorded last, and something of a group.
  last_at timestamptz,
  last_group_at timestamptz,
  -- Rises with each change of person and open, so that what was asked of identity before is not written after it.
  version bigint not null default 0
) with (fillfactor = 80);
create index streams_person on streams (person) where person is not null;

-- What AIs are woken for: one partition for each day (UTC) of the event, so that dropping a day costs nothing.
create table wake_ups (
  ai uuid not null,
  number bigint not null,
  -- As receivers see it: of the event, or derived when one event makes two wake-ups.
  id uuid not null,
  -- Of the event.
  at timestamptz not null,
  name text not null,
  -- The groups that it happened in.
  groups uuid[] not null,
  -- The payload's public JSON.
  data json not null,
  primary key (ai, id, at)
) partition by range (at);
create index wake_ups_number on wake_ups (ai, number);
create index wake_ups_name on wake_ups (ai, name, number);

-- What comes before a day's partition was made, or long after it was dropped, must not stop the streams.
create table wake_ups_other partition of wake_ups default;

create function make_wake_up_partition(day date) returns void language plpgsql as $$
declare
  name text := 'wake_ups_' || to_char(day, 'YYYYMMDD');
  starts timestamptz := day::timestamp at time zone 'UTC';
  ends timestamptz := (day + 1)::timestamp at time zone 'UTC';
begin
  if to_regclass('delivery.' || name) is not null then return; end if;
  -- A partition cannot be made while the default one holds rows of its day.
  execute format('create table delivery.%I (like delivery.wake_ups including all)', name);
  execute format(
    'with moved as (delete from delivery.wake_ups_other where at >= %L and at < %L returning *)
     insert into delivery.%I select * from moved', starts, ends, name);
  execute format('alter table delivery.wake_ups attach partition delivery.%I for values from (%L) to (%L)', name, starts, ends);
end $$;

create function drop_wake_up_partitions(before date) returns void language plpgsql as $$
declare
  partition record;
begin
  for partition in
    select relname from pg_class join pg_inherits on inhrelid = pg_class.oid
    where inhparent = 'delivery.wake_ups'::regclass and relname ~ '^wake_ups_[0-9]{8}$'
      and relname < 'wake_ups_' || to_char(before, 'YYYYMMDD')
  loop
    execute format('drop table delivery.%I', partition.relname);
  end loop;
  delete from delivery.wake_ups_other where at < before::timestamp at time zone 'UTC';
end $$;
