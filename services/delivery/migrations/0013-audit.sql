-- What operators did. It begins with what is announced from now on.
create table audit (
  event uuid primary key,
  at timestamptz not null,
  action text not null,
  -- Else it happened by itself.
  by_operator boolean not null,
  -- An id as the operator sees it, or the kid of a key; empty for none.
  about text not null,
  summary text not null,
  reason text not null
);
create index audit_at on audit (at desc, event desc);
