create index concurrently homes_unknown on homes (home) where kept is null;
