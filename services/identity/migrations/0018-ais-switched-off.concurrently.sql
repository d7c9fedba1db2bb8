create index concurrently ais_revoked on ais (id) where revoked_at is not null;
