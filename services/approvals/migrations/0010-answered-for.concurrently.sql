create index concurrently recipients_answered_for on recipients (guards, answered_at desc)
  where guards is not null and answered_at is not null;
