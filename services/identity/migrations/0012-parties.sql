-- People and AIs of other homes. Their home gives the id; the address may move, and may come to belong to another.
create table parties (
  id uuid primary key,
  home text not null,
  -- Null until their home said it.
  remote_id text,
  -- The full address; null for one whose address belongs to another now.
  address text,
  person boolean not null,
  name text not null,
  -- AiStatus
  status smallint not null,
  met_at timestamptz not null,
  unique (home, remote_id)
);

create unique index parties_address on parties (address);
