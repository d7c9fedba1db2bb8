-- Every group that was posted to: numbers its posts, under the row's lock.
create table post_counters (
  "group" uuid primary key,
  last_seq bigint not null
) with (fillfactor = 50);

-- What was posted to a group.
create table group_posts (
  id uuid primary key,
  "group" uuid not null,
  -- Its number within the group.
  seq bigint not null,
  -- Who posted, or the owner of the AI that did; null for the group's own AI.
  person uuid,
  -- The AI that posted; null when the person did.
  ai uuid,
  -- Address and name as they were then. Of a person, what identity says now is shown, and of somebody under 18 neither.
  from_address text not null,
  from_name text not null,
  -- Whether the person was under 18 then.
  minor boolean not null,
  text text not null,
  reply_to uuid references group_posts,
  via smallint not null,
  at timestamptz not null,
  unique ("group", seq),
  check (person is not null or ai is not null)
);

create table post_requests (
  scope text not null,
  operation text not null,
  request_id text not null,
  digest bytea not null,
  result jsonb not null,
  created_at timestamptz not null,
  primary key (scope, operation, request_id)
);

create index post_requests_created_at on post_requests (created_at);
