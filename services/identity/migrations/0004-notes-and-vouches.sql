-- Private notes of people, for them and for those of their AIs that may.
create table notes (
  id uuid primary key,
  person uuid not null references people,
  -- The AI whose note it is, beside the person; null when it is the person's alone.
  ai uuid references ais,
  -- Whether the words are the person's own: they may put an AI's note right, which stays the AI's.
  by_person boolean not null,
  about text not null default '',
  text text not null,
  -- uuids of the groups whose group AI may use it.
  shared_with uuid[] not null default '{}',
  expires_at timestamptz,
  at timestamptz not null
);

create index notes_person on notes (person, at desc, id desc);
create index notes_shared_with on notes using gin (shared_with) where shared_with <> '{}';
create index notes_expires_at on notes (expires_at) where expires_at is not null;

-- Who answers for an AI that nobody owns.
create table vouches (
  ai uuid not null references ais,
  person uuid not null references people,
  note text not null default '',
  private boolean not null,
  at timestamptz not null,
  primary key (ai, person)
);

create index vouches_person on vouches (person);

-- Groups that a claimer put an AI in.
create table ai_groups (
  ai uuid not null references ais,
  "group" uuid not null,
  put_by uuid not null,
  at timestamptz not null,
  primary key (ai, "group")
);
