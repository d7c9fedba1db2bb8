-- Invites that go to an e-mail address, until they went out, may not go there, or are given up.
create table mails (
  invite uuid primary key references invites on delete cascade,
  email text not null,
  -- The code of the invite, under seal.
  code bytea not null,
  -- When it is tried (again), and until when a process has it in hand.
  next_at timestamptz not null,
  attempts smallint not null default 0
);

create index mails_due on mails (next_at);
