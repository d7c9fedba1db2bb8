create index concurrently homes_waiting on homes (home) where kept->'waiting' is not null;
