-- The operator lists the callbacks of one asker, and those that fail for longest.
create index callbacks_of_asker on callbacks (asker, status, at, id);
create index destinations_callbacks_failing on destinations (failing_since, id) where kind = 4 and failing_since is not null;
