-- Secrets of the home that all of its processes open, under the seal key.
create table secrets (
  name text primary key,
  -- Null until the first process has made it.
  sealed bytea,
  -- A home that is older than this table: the secret is the one that it has derived from its seal key so far.
  of_seal_key boolean not null
);
insert into secrets (name, of_seal_key) values ('derivation', to_regclass('identity.migrations') is not null);

-- The operator's wish that everything be sealed with this key; one row.
create table reseal (
  one boolean primary key default true check (one),
  -- The mark of the key, in hex.
  key text not null,
  asked_at timestamptz not null
);

-- Each place in which sealed values are stored, with what was found at the last look.
create table sealed (
  place text primary key,
  -- The mark of the key for which was looked.
  key text,
  -- Values that another key sealed, and those of them that no key of the home opens.
  remaining bigint,
  unopened bigint,
  looked_at timestamptz
);
