create index concurrently offers_group_status on offers ("group", status, created_at, id) where "group" is not null;
