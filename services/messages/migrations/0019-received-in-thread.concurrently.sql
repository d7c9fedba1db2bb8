-- The messages that one side of a thread received.
create index concurrently messages_received_in_thread on messages (recipient, thread, recipient_seq)
  where recipient_deleted_at is null and holder is null;
