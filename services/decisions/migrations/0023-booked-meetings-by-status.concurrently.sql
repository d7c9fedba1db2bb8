create index concurrently meetings_guest_status on meetings (guest_viewer, status, starts_at, id);
