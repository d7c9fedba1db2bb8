create table apps (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null default '{}',
  contact_email text not null,
  webhook_url text,
  -- Empty for all.
  event_types text[] not null default '{}',
  -- Whether it may hold people under 18.
  minors boolean not null default false,
  -- Sealed: webhooks are signed with it.
  signing_secret bytea not null,
  old_signing_secret bytea,
  old_secret_ends_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz
);

create table app_keys (
  id uuid primary key,
  app uuid not null references apps,
  -- SHA-256 of the key, which is shown once and stored nowhere.
  hash bytea not null unique,
  prefix text not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  last_used_on date
);

create index app_keys_app on app_keys (app, created_at);

-- Apps that are told of a deletion until they confirm that they deleted the same.
create table app_deletions (
  -- uuid of the event account_deleted.
  event uuid not null,
  app uuid not null references apps,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (event, app)
);

create table people (
  id uuid primary key,
  -- Without the @. Of a deleted account it stays, so that nobody else gets it.
  handle text not null unique,
  name text not null,
  -- YYYY-MM, sealed for "person.birth:<id>"; null when only a band was given.
  birth bytea,
  age_band text not null check (age_band in ('adult', 'teen16', 'teen13', 'child')),
  age_source text not null,
  -- The guardian lets the child's AIs act for them.
  ai_share boolean not null default false,
  -- No sign-in yet.
  guest boolean not null,
  -- The app that holds the account.
  app uuid references apps,
  -- The app's own id of the person.
  external_id text,
  time_zone text not null,
  locale text not null default '',
  -- Verified, in small letters; a way to sign in.
  email text unique,
  away_until timestamptz,
  away_note text not null default '',
  -- Rises with each change that is announced.
  seq bigint not null default 1,
  handle_changed_at timestamptz,
  created_at timestamptz not null,
  -- When the account goes, once its deletion was asked for.
  deletes_at timestamptz,
  deleted_at timestamptz,
  unique (app, external_id)
);

create index people_app on people (app) where app is not null and deleted_at is null;
create index people_deletes_at on people (deletes_at) where deletes_at is not null and deleted_at is null;
create index people_minors on people (id) where age_band <> 'adult' and deleted_at is null;

-- Who guards whom; of two the one of before comes first.
create table guardianships (
  child uuid not null references people,
  guardian uuid not null references people,
  since timestamptz not null,
  -- When each of them said that it shall end.
  child_ended_at timestamptz,
  guardian_ended_at timestamptz,
  primary key (child, guardian),
  check (child <> guardian)
);

create index guardianships_guardian on guardianships (guardian);

-- What was agreed to about a child, by whom and how: kept as long as the account.
create table consents (
  id uuid primary key,
  child uuid not null references people,
  -- The person who agreed, when it was one.
  person uuid,
  app uuid,
  -- account, guardian, ai_share
  what text not null,
  -- tap, passkey, email, app
  method text not null,
  text_version text not null,
  at timestamptz not null
);

create index consents_child on consents (child, at);

-- Apps that ask a person whether they may hold the account.
create table app_links (
  app uuid not null references apps,
  person uuid not null references people,
  asked_at timestamptz not null,
  answered_at timestamptz,
  accepted boolean,
  primary key (app, person)
);

create index app_links_person on app_links (person) where answered_at is null;

-- An address leads to an AI or to a person.
alter table addresses alter column ai drop not null;
alter table addresses add column person uuid references people deferrable initially deferred;
-- Until when an old address leads on; null for a present one, and for one that leads on for good.
alter table addresses add column ends_at timestamptz;
alter table addresses add constraint addresses_of_one check ((ai is null) <> (person is null));
create index addresses_person on addresses (person) where person is not null;

alter table ais add column claimed_at timestamptz;
-- Claimed by its link, which the AI can undo for a day.
alter table ais add column claimed_by_link boolean not null default false;
-- What it goes back to when the claim is undone.
alter table ais add column address_before text;
alter table ais add column name_before text;
-- The group that it runs, and the app that made that group.
alter table ais add column group_id uuid unique;
alter table ais add column group_app uuid;
create index ais_owner on ais (owner, created_at) where owner is not null;
-- The person, or the app, who had the key made; null when the AI did by itself.
alter table keys add column made_by uuid;
