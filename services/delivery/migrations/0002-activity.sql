-- What happened, for those whom it concerns. The words are snapshots: rows outlive their subjects.
create table activity (
  event uuid not null,
  -- An event can make more than one row.
  part smallint not null,
  at timestamptz not null,
  -- What lists are ordered by: `at`, and with somebody under 18 in it the UTC day, so that order tells no more than
  -- what those see whom the moment does not concern.
  sort_at timestamptz not null,
  action text not null,
  -- hearth.CallerKind; null for the home itself.
  actor_kind smallint,
  actor uuid,
  -- The person, or the owner of the AI, whose word it was.
  actor_person uuid,
  -- Empty for an app, and for somebody under 18 and their AIs.
  actor_address text not null,
  actor_name text not null,
  actor_minor boolean not null,
  via smallint not null,
  group_id uuid,
  -- The person whom it is about.
  about uuid,
  about_minor boolean not null,
  item_ref text not null,
  summary text not null,
  -- People who never see it, whatever else they are to it.
  hidden_from uuid[] not null,
  -- People, AIs, apps and groups in whose lists it stands.
  subjects uuid[] not null,
  primary key (event, part)
);
create index activity_sort_at on activity (sort_at);

-- The list of each of them; the newest page of one costs one scan of its end.
create table activity_subjects (
  subject uuid not null,
  sort_at timestamptz not null,
  event uuid not null,
  part smallint not null,
  primary key (subject, sort_at, event, part)
);
