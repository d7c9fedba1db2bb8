-- One box of a mailbox, without what is deleted.
create index concurrently messages_of_box on messages (recipient, box, recipient_seq)
  where recipient_deleted_at is null and holder is null;
