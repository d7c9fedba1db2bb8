create index concurrently groups_app_active on groups (app, id) where archived_at is null;
