-- A message to another home: Delivery once that home has it or will not, and why it is undeliverable.
alter table messages add column delivery smallint;
alter table messages add column why text;

-- Messages and threads that another home began, by the reference r:<home>:<id> that it knows them by.
create table remote_ids (
  recipient uuid not null,
  reference text not null,
  -- The message or thread here.
  id uuid not null,
  primary key (reference, recipient)
);

create index remote_ids_id on remote_ids (id);

-- Messages of other homes that a rule declined: the polite no goes back at this moment, so that it does not tell of a rule.
create table polite_noes (
  message uuid primary key,
  due_at timestamptz not null
);

create index polite_noes_due on polite_noes (due_at);
