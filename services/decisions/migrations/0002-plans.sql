-- Plans of groups: times that are proposed, and the signed record of the one that was settled.
create table plans (
  id uuid primary key,
  title text not null,
  details text,
  place text,
  "group" uuid not null,
  group_handle text not null,
  group_name text not null,
  group_ai uuid not null,
  group_app uuid,
  -- Who proposed it, as in decisions.
  starter_kind text not null,
  starter uuid not null,
  starter_person uuid,
  starter_app uuid,
  starter_address text not null,
  starter_name text not null,
  starter_minor boolean not null,
  -- [{id, label, starts, ends}], as the domain has them.
  options jsonb not null,
  hidden_from uuid,
  time_zone text,
  -- asked (the organizers are asked whether it begins), open, settled, cancelled
  status text not null,
  -- past, group_archived, no_people, declined, cancelled
  why text,
  -- uuid of the approval that the organizers are asked for, and whether it is there.
  approval uuid unique,
  approval_asked boolean not null default false,
  -- Rises with each change.
  revision integer not null,
  started_at timestamptz not null,
  deadline_at timestamptz not null,
  -- Since when the people choose.
  clash_at timestamptz,
  -- The organizers were asked to settle it.
  settle_asked boolean not null default false,
  settled_option smallint,
  -- When time alone changes it; null: never. Until claimed_until a process is at it.
  due_at timestamptz,
  claimed_until timestamptz,
  settled_at timestamptz,
  -- uuid of the record, made when it is settled; the record itself follows once it is signed.
  record uuid,
  signed_record text,
  check ((status in ('settled', 'cancelled')) = (settled_at is not null)),
  check ((status = 'settled') = (record is not null)),
  check ((status = 'settled') = (settled_option is not null))
);

create index plans_due on plans (due_at) where due_at is not null;
create index plans_unsigned on plans (settled_at) where status = 'settled' and signed_record is null;
create index plans_group_open on plans ("group") where status not in ('settled', 'cancelled');

-- The people of a plan, with their latest words.
create table planners (
  plan uuid not null references plans on delete cascade,
  person uuid not null,
  -- In which order they are shown.
  position smallint not null,
  -- uuids of those who speak in the place of a person under 18.
  guardians uuid[] not null,
  ai_share boolean not null,
  organizer boolean not null,
  asked boolean not null,
  -- [{option, stance, note, by, as, address, at}], as the domain has them.
  stances jsonb not null default '[]',
  -- The option that they chose, once the people choose.
  choice smallint,
  primary key (plan, person)
);

create index planners_person on planners (person);
create index planners_guardians on planners using gin (guardians);

-- Every word that was said, in its order: a later one takes the place of an earlier one, which stays here. With the person go
-- their words.
create table stances (
  id bigint generated always as identity primary key,
  plan uuid not null,
  person uuid not null,
  -- As in planners.
  stances jsonb not null,
  foreign key (plan, person) references planners on delete cascade
);

create index stances_planner on stances (plan, person);

create index plans_unasked on plans (started_at) where status = 'asked' and not approval_asked;
