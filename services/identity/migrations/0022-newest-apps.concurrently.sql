create index concurrently apps_newest on apps (created_at desc, id desc) where revoked_at is null;
