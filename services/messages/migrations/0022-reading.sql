-- Threads of which more was marked as read than one request does: what is left, up to a number of the thread.
create table reading (
  owner uuid not null,
  thread uuid not null,
  up_to bigint not null,
  read_at timestamptz not null,
  primary key (owner, thread)
);
create index reading_next on reading (read_at);
