create index concurrently offers_host_status on offers (host_id, status, created_at, id);
