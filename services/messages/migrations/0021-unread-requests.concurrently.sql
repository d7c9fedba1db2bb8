-- Unread requests in a mailbox with many other unread messages.
create index concurrently messages_unread_requests on messages (recipient, recipient_seq)
  where box = 2 and read_at is null and retracted_at is null and recipient_deleted_at is null and holder is null;
