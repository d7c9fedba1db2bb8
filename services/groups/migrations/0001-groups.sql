-- Every handle that was ever given to a group, without the &: a row stays when its group is deleted.
create table handles (
  handle text primary key,
  -- The last number that was tried behind it for a group of the same name.
  tried integer not null default 1
);

create table groups (
  id uuid primary key,
  -- Without the &; never given out again.
  handle text not null unique,
  name text not null,
  -- uuids of identity's: the AI that runs it, who made it, the app that did.
  group_ai uuid not null,
  -- Null for who turned out to be under 18, whose id is not everybody's to see.
  created_by uuid,
  app uuid not null,
  parent uuid references groups on delete set null,
  -- no, guardian, teens
  minors text not null,
  consent_age smallint not null,
  -- none, minors, all
  join_review text not null,
  group_ai_runs boolean not null,
  -- allow, ask, never
  plans text not null,
  time_zone text not null,
  ends_at timestamptz,
  archived_at timestamptz,
  -- ended, organizer_left, organizer_archived
  archived_why text,
  -- The person who archived it, and may restore it.
  archived_by uuid,
  -- Rises with each change, under the row's lock.
  seq bigint not null default 1,
  created_at timestamptz not null
);

create index groups_app on groups (app, id);
create index groups_created_by on groups (created_by);
create index groups_parent on groups (parent) where parent is not null;
create index groups_ends_at on groups (ends_at) where ends_at is not null and archived_at is null;

create table members (
  "group" uuid not null references groups,
  person uuid not null,
  -- organizer, member
  role text not null,
  joined_at timestamptz not null,
  -- link, code, invite, app, home
  via text not null,
  -- What identity says of the person, brought up to date by its events: for counting and for whom to tell.
  age_band text not null,
  app uuid,
  -- The guardian by whose word somebody under 18 joined; null when they joined by themselves.
  guardian uuid,
  primary key ("group", person)
);

create index members_person on members (person, joined_at, "group");
create index members_organizers on members ("group", joined_at) where role = 'organizer';
create index members_minors on members ("group") where age_band <> 'adult';

-- One-time invites and reusable links into a group.
create table invites (
  id uuid primary key,
  "group" uuid not null references groups on delete cascade,
  -- SHA-256 of the code, which is shown once and stored nowhere.
  code_hash bytea not null unique,
  reusable boolean not null,
  for_age text not null,
  invitee text not null default '',
  -- uuid of the person it was sent to, when known.
  to_person uuid,
  item_ref text not null default '',
  -- The person or AI that made it, and its person.
  created_by_kind text not null,
  created_by uuid not null,
  created_by_person uuid not null,
  created_by_name text not null,
  app uuid,
  -- waiting, approved, declined, used
  status text not null,
  -- declined, withdrawn, revoked, expired
  why text,
  uses integer not null default 0,
  max_uses integer not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  check (uses <= max_uses)
);

create index invites_group on invites ("group", created_at desc, id desc);
create index invites_expiry on invites (expires_at) where status in ('waiting', 'approved');
create index invites_ended on invites (expires_at) where status in ('declined', 'used');

-- Who wants to join by an invite and waits for a word.
create table joins (
  invite uuid not null references invites on delete cascade,
  person uuid not null,
  note text not null default '',
  via text not null,
  asked_at timestamptz not null,
  -- Whose word it needs, and when it came.
  needs_organizer boolean not null,
  organizer_at timestamptz,
  organizer uuid,
  needs_guardian boolean not null,
  guardian_at timestamptz,
  guardian uuid,
  -- waiting, joined, declined, withdrawn
  status text not null,
  ended_at timestamptz,
  -- The join_request approval that asks for the word to come.
  approval uuid,
  primary key (invite, person)
);

create index joins_person on joins (person);

-- The approvals by which those words are asked for, one for each in turn. What approvals shall know of each is told until
-- it is confirmed.
create table asks (
  -- uuid of the approval
  id uuid primary key,
  "group" uuid not null,
  invite uuid not null,
  person uuid not null,
  -- organizer, guardian
  role text not null,
  -- waiting, approved, declined, cancelled
  wanted text not null,
  -- {by, note, via, proof} of a word that was given here.
  said jsonb,
  -- When approvals is told of it; null once it knows.
  next_at timestamptz,
  attempts smallint not null default 0,
  changed_at timestamptz not null
);

create index asks_due on asks (next_at, id) where next_at is not null;
create index asks_invite on asks (invite);
create index asks_waiting_of_group on asks ("group") where wanted = 'waiting';
create index asks_ended on asks (changed_at) where wanted <> 'waiting';

-- What became of the groups of people whose account ended, so that it is answered again when it is asked again.
create table departures (
  person uuid primary key,
  result jsonb not null,
  at timestamptz not null
);

create table requests (
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
  claimed_until timestamptz not null default now() + interval '10 seconds'
);

create index outbox_unpublished on outbox (id) where published_in is null;
