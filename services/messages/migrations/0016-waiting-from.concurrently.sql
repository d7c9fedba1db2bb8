-- What waits in requests of one sender: messages about times, once these are settled.
create index concurrently messages_waiting_from on messages (sender)
  where box in (2, 3) and retracted_at is null and recipient_deleted_at is null;
