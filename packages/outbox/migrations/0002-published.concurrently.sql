create index concurrently outbox_published on outbox (coalesce(published_at, created_at)) where published_in is not null;
