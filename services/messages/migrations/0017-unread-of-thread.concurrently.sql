-- Counts the unread messages of a thread without reading those that were read.
create index concurrently messages_unread_of_thread on messages (recipient, thread, thread_seq)
  where read_at is null and retracted_at is null and recipient_deleted_at is null and holder is null;
