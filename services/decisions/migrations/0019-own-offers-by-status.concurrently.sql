create index concurrently offers_host_viewer_status on offers (host_viewer, status, created_at, id);
