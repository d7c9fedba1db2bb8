-- The hour since 1970 in which a post was made, and that hour's place among spans of 16 hours; the same, negative, of when it was last active
-- where that was later. A search asks for the newest of them first.
create function commons_recency(at timestamptz, active_at timestamptz) returns integer[]
language plpgsql immutable strict parallel safe as $$
declare
  made integer := floor(date_part('epoch', at - timestamptz '1970-01-01 00:00:00+00') / 3600);
  active integer := floor(date_part('epoch', active_at - timestamptz '1970-01-01 00:00:00+00') / 3600);
  spans integer[] := array[made, (1 << 24) + (made >> 4)];
begin
  if active_at = at then return spans; end if;
  return spans || array[-active, -(1 << 24) - (active >> 4)];
end
$$;
