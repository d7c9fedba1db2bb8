create index concurrently ais_status on ais (status, id);
