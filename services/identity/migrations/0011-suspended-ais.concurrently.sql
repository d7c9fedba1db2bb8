create index concurrently ais_suspended on ais (suspended_until) where suspended_until is not null
