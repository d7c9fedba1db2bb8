-- Acts of other homes as they came. A home that was restored from an older state asks for its own.
create table received_acts (
  home text not null,
  -- The place of the act in the log of its home.
  epoch bigint not null,
  seq bigint not null,
  -- r:<home>:<id>
  id text not null,
  -- The signed item as JSON.
  item text not null,
  received_at timestamptz not null,
  primary key (home, epoch, seq)
);
create index received_acts_old on received_acts (received_at);

-- Acts of this home that another one gave back after this one lost them: their results go to the service that sent them.
create table returned_acts (
  home text not null,
  -- Without r: and the home.
  id text not null,
  service text not null,
  returned_at timestamptz not null,
  primary key (home, id)
);
create index returned_acts_old on returned_acts (returned_at);

-- This home was restored from an older state: the place in its own log after which it asks for its acts. Null: it lost none.
alter table logs
  add column lost_epoch bigint,
  add column lost_seq bigint,
  add column lost_at timestamptz;
