-- The log of what happened: one partition for each day (UTC), so that dropping a day costs nothing.
create table events (
  id uuid not null,
  at timestamptz not null,
  type text not null,
  event bytea not null,
  primary key (id, at)
) partition by range (at);

-- What comes before a day's partition was made, or long after it was dropped, must not stop the log.
create table events_other partition of events default;

create function make_partition(day date) returns void language plpgsql as $$
declare
  name text := 'events_' || to_char(day, 'YYYYMMDD');
  starts timestamptz := day::timestamp at time zone 'UTC';
  ends timestamptz := (day + 1)::timestamp at time zone 'UTC';
begin
  if to_regclass('delivery.' || name) is not null then return; end if;
  -- A partition cannot be made while the default one holds rows of its day.
  execute format('create table delivery.%I (like delivery.events including all)', name);
  execute format(
    'with moved as (delete from delivery.events_other where at >= %L and at < %L returning *)
     insert into delivery.%I select * from moved', starts, ends, name);
  execute format('alter table delivery.events attach partition delivery.%I for values from (%L) to (%L)', name, starts, ends);
end $$;

create function drop_partitions(before date) returns void language plpgsql as $$
declare
  partition record;
begin
  for partition in
    select relname from pg_class join pg_inherits on inhrelid = pg_class.oid
    where inhparent = 'delivery.events'::regclass and relname ~ '^events_[0-9]{8}$' and relname < 'events_' || to_char(before, 'YYYYMMDD')
  loop
    execute format('drop table delivery.%I', partition.relname);
  end loop;
  delete from delivery.events_other where at < before::timestamp at time zone 'UTC';
end $$;
