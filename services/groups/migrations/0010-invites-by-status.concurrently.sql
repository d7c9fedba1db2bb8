create index concurrently invites_listed on invites ("group", status, created_at, id);
