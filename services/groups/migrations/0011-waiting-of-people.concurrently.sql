create index concurrently joins_waiting_of_person on joins (person, asked_at, invite) where status = 'waiting';
