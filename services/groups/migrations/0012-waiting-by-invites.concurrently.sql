create index concurrently joins_waiting_of_invite on joins (invite, asked_at, person) where status = 'waiting';
