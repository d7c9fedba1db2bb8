create index concurrently recipients_no_due on recipients (no_due_at) where no_due_at is not null;
