-- The messages from one address.
create index concurrently messages_received_from on messages (recipient, sender_address, recipient_seq)
  where recipient_deleted_at is null and holder is null;
