-- Signed records, kept for those whom they concern and for whoever has the link of the receipt.
create table records (
  id uuid primary key,
  -- approval.answer, ...
  type text not null,
  -- The record as it was signed first.
  json text not null,
  -- SHA-256 of the key in the receipt's link.
  receipt_hash bytea not null,
  -- uuids of the people, AIs and apps whom it concerns.
  viewers uuid[] not null,
  created_at timestamptz not null
);
