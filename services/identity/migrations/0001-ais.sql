create table ais (
  id uuid primary key,
  -- The present one; addresses holds every one it ever had.
  address text not null unique,
  name text not null,
  platform text not null,
  owner uuid,
  owner_private boolean not null default false,
  status text not null check (status in ('claimed', 'vouched', 'unclaimed')),
  permissions text[] not null,
  description text not null default '',
  -- The UTC day of the last change of the description, and how many there were on it.
  description_day date,
  description_changes integer not null default 0,
  away_until timestamptz,
  away_note text not null default '',
  public_key jsonb,
  -- The claim link is made from the id and this number; a new link is the next number.
  claim_version integer not null default 1,
  -- SHA-256 of the claim link's token, for whoever opens it.
  claim_hash bytea unique,
  revoked_at timestamptz,
  revoke_reason text not null default '',
  created_at timestamptz not null
);

-- Every address there ever was: the old ones keep leading to their AI, and none is given out twice.
create table addresses (
  address text primary key,
  ai uuid not null references ais deferrable initially deferred,
  since timestamptz not null
);

create index addresses_ai on addresses (ai);

create table keys (
  id uuid primary key,
  ai uuid not null references ais,
  -- SHA-256 of the key, which is shown once and stored nowhere.
  hash bytea not null unique,
  prefix text not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  last_used_on date
);

create index keys_ai on keys (ai, created_at);
create index keys_ended on keys (ends_at) where ends_at is not null;

-- When each AI was last seen waiting or reading. Apart from ais: written often, and never announced.
create table sightings (
  ai uuid primary key references ais,
  waited_at timestamptz,
  checked_at timestamptz
) with (fillfactor = 70);

-- What was asked for with a request_id, so that the same request is answered again and not done again.
create table requests (
  -- Who asked: the caller, or the network of a caller without a credential.
  scope text not null,
  operation text not null,
  request_id text not null,
  digest bytea not null,
  result jsonb not null,
  created_at timestamptz not null,
  primary key (scope, operation, request_id)
);

create index requests_created_at on requests (created_at);

create table outbox (
  id uuid primary key,
  type text not null,
  event bytea not null,
  created_at timestamptz not null default now(),
  published_in text,
  -- Until then the row is in the hands of a process: the one that wrote it, or one that sweeps.
  claimed_until timestamptz not null default now() + interval '10 seconds'
);

create index outbox_unpublished on outbox (id) where published_in is null;
