-- Decisions of groups: the questions, the present proposal or clash, and the signed record of what was agreed.
create table decisions (
  id uuid primary key,
  -- The number by which callers know it: random, so that it tells nothing of others. At most 2^52.
  number bigint not null unique,
  title text not null,
  details text,
  "group" uuid not null,
  group_handle text not null,
  group_name text not null,
  group_ai uuid not null,
  group_app uuid,
  -- Who started it: ai or person, by uuid, with the person behind it and the app used; address and name as they were then.
  starter_kind text not null,
  starter uuid not null,
  starter_person uuid,
  starter_app uuid,
  starter_address text not null,
  starter_name text not null,
  starter_minor boolean not null,
  -- [{id, kind, prompt, options}], as the domain has them.
  questions jsonb not null,
  hidden_from uuid,
  time_zone text,
  -- all, answered, organizers
  needs text not null,
  -- open, clash, proposed, review, agreed, cancelled
  status text not null,
  -- no_answers, group_archived, cancelled
  why text,
  -- Rises with each change.
  revision integer not null,
  started_at timestamptz not null,
  -- When the present round of answers began, and until when they are taken.
  opened_at timestamptz not null,
  deadline_at timestamptz not null,
  -- Whether those who are still to answer in this round were told that it closes soon.
  closing_told boolean not null default false,
  -- As the domain has them.
  proposal jsonb,
  clash jsonb,
  -- When time alone changes it, or those who are still to answer are told; null: never. Until claimed_until a process is at it.
  due_at timestamptz,
  claimed_until timestamptz,
  reminded_at timestamptz,
  settled_at timestamptz,
  review_on date,
  review_told boolean not null default false,
  -- uuid of the record, made when it is agreed; the record itself follows once it is signed.
  record uuid,
  signed_record text,
  check ((status in ('agreed', 'cancelled')) = (settled_at is not null)),
  check ((status = 'agreed') = (record is not null))
);

create index decisions_due on decisions (due_at) where due_at is not null;
create index decisions_unsigned on decisions (settled_at) where status = 'agreed' and signed_record is null;
create index decisions_review on decisions (review_on) where review_on is not null and not review_told;
create index decisions_group_open on decisions ("group") where status not in ('agreed', 'cancelled');

-- The people of a decision, with what they said.
create table participants (
  decision uuid not null references decisions on delete cascade,
  person uuid not null,
  -- In which order they are shown.
  position smallint not null,
  -- uuids of those who answer in the place of a person under 18.
  guardians uuid[] not null,
  ai_share boolean not null,
  organizer boolean not null,
  asked boolean not null,
  -- [{question, answer, firm, note, by, as, assumed, at}], as the domain has them.
  answers jsonb not null default '[]',
  -- {decision, note, by, as, at}, of the present proposal.
  approval jsonb,
  pick text,
  primary key (decision, person)
);

create index participants_person on participants (person);
create index participants_guardians on participants using gin (guardians);

-- The viewers of decisions and plans: people, guardians, the group AI, apps; by uuid. A thing is in no list but these.
create table seats (
  -- decision, plan
  kind text not null,
  item uuid not null,
  viewer uuid not null,
  "group" uuid not null,
  started_at timestamptz not null,
  status text not null,
  -- It waits for the viewer.
  waiting boolean not null,
  primary key (item, viewer)
);

create index seats_list on seats (viewer, kind, started_at desc, item desc);
create index seats_status on seats (viewer, kind, status, started_at desc, item desc);
create index seats_waiting on seats (viewer, kind, started_at desc, item desc) where waiting;

-- The items of apps that a decision or a plan led to.
create table links (
  app uuid not null,
  kind text not null,
  item uuid not null,
  item_ref text not null,
  list_ref text,
  primary key (app, kind, item)
);

-- The results of requests by their request_id.
create table requests (
  scope text not null,
  operation text not null,
  request_id text not null,
  digest bytea not null,
  result jsonb not null,
  created_at timestamptz not null,
  primary key (scope, operation, request_id)
);
create index requests_created on requests (created_at);
