-- The home's signing keys. Retired keys stay listed for ever, so rows are never deleted.
create table keys (
  kid text primary key,
  -- The public half: 32 bytes, base64url.
  x text not null unique,
  -- The 32-byte secret seed under the home's seal key; null once the key signs no more.
  sealed_seed bytea,
  uses text[] not null,
  status text not null check (status in ('active', 'next', 'retired', 'revoked')),
  not_before timestamptz not null,
  not_after timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  check (status not in ('active', 'next') or sealed_seed is not null)
);

-- Every home document that was issued, until it is long out of date; the last one is served.
create table documents (
  doc_seq bigint primary key,
  -- Of what the document says, without its times and its number.
  content_digest text not null,
  -- The signed document as it is served.
  json text not null,
  etag text not null,
  issued_at timestamptz not null,
  valid_until timestamptz not null
);
