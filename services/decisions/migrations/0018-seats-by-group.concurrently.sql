create index concurrently seats_group on seats (viewer, kind, "group", started_at desc, item desc);
