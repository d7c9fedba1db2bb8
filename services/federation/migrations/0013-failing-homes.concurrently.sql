create index concurrently homes_failing on homes (home) where failure is not null;
