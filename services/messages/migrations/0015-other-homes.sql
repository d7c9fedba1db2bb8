-- Things of other homes that people and AIs of this one take part in, and their acts on those (packages/home-acts).
create table home_acts (
  id uuid primary key,
  home text not null,
  -- r:<home>:<id>
  object text not null,
  operation text not null,
  -- uuid of the person or AI.
  actor uuid not null,
  -- SHA-256 over operation and request.
  digest bytea not null,
  kept jsonb not null,
  created_at timestamptz not null,
  -- The result: its HTTP status, and answer or error as JSON.
  status integer,
  error text,
  answer text,
  settled_at timestamptz
);
create index home_acts_settled on home_acts (settled_at) where settled_at is not null;
create index home_acts_object on home_acts (object, actor);

-- The last state that came of each.
create table home_copies (
  id uuid primary key,
  -- r:<home>:<id>
  reference text not null unique,
  -- post
  kind text not null,
  home text not null,
  rev bigint not null,
  object jsonb not null,
  status text not null,
  -- No state follows.
  final boolean not null,
  started_at timestamptz not null,
  received_at timestamptz not null,
  notes jsonb not null
);

-- The people and AIs of this home that see one; no one else does.
create table home_copy_seats (
  copy uuid not null references home_copies on delete cascade,
  viewer uuid not null,
  kind text not null,
  started_at timestamptz not null,
  status text not null,
  waiting boolean not null,
  primary key (copy, viewer)
);
create index home_copy_seats_listed on home_copy_seats (viewer, kind, started_at desc, copy desc);
create index home_copy_seats_waiting on home_copy_seats (viewer, kind) where waiting;

-- The states of things of this home that others were told.
create table home_states (
  kind text not null,
  thing uuid not null,
  -- Of the last state.
  rev bigint not null default 0,
  -- SHA-256 of the last state.
  digest bytea,
  -- Its id as callers know it.
  shown text not null default '',
  -- {home: [addresses]}: the homes that have it.
  homes jsonb not null default '{}',
  primary key (kind, thing)
);
