-- The offers of a party whose times its meetings close.
create index concurrently offers_ahead on offers (host_viewer, expires_at) where status in ('open', 'taken') and elsewhere is null;
