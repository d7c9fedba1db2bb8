-- request_ids of reports and proposals of rules; asks keep theirs themselves.
create table request_ids (
  scope text not null,
  operation text not null,
  request_id text not null,
  digest bytea not null,
  result jsonb not null,
  created_at timestamptz not null,
  primary key (scope, operation, request_id)
);

create index request_ids_created_at on request_ids (created_at);
