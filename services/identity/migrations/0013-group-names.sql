-- When a group was given the name that its AI has: the event of an earlier name that comes again, or late, does not bring it back.
alter table ais add column group_named_at timestamptz;
