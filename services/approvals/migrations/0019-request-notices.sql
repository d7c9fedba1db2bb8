-- The daily notice of new requests: of messages and quiet asks of strangers, of which no other notice tells.
create table request_notices (
  -- uuid
  person uuid primary key,
  -- When it goes out; null while nothing new waits.
  due_at timestamptz,
  -- When the last one went out. It told of everything that waited then.
  told_at timestamptz
);

-- Since when the item stands in the requests of its owner themselves; null where it was there before this column.
alter table items add column noted_at timestamptz;

create index request_notices_due on request_notices (due_at) where due_at is not null;
