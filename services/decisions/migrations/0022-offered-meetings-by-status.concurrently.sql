create index concurrently meetings_host_status on meetings (host_viewer, status, starts_at, id);
