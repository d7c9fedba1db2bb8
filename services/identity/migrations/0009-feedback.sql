-- What callers told the operator about the home.
create table feedback (
  id uuid primary key,
  kind text not null,
  title text not null,
  text text not null default '',
  about text not null default '',
  status text not null check (status in ('received', 'read', 'done')),
  answer text not null default '',
  -- ai, person or app, and its uuid.
  by_kind text not null,
  by_id uuid not null,
  -- The person whose word it was, or whose AI sent it.
  person uuid,
  at timestamptz not null,
  answered_at timestamptz
);

create index feedback_at on feedback (at desc, id desc);
create index feedback_person on feedback (person) where person is not null;
