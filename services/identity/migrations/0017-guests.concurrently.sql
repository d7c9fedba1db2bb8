create index concurrently people_guests on people (id) where guest and deleted_at is null;
