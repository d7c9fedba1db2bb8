create sequence outbox_place;
alter table outbox
  -- What the event is about; null where no order is kept. Rows about one thing are written under its lock.
  add column thing text,
  -- In ascending order of writing; null where `thing` is.
  add column place bigint;
alter sequence outbox_place owned by outbox.place;

-- Up to where each consumer of this service that keeps order has handled the events about a thing.
create table handled_places (
  durable text not null,
  -- The service that announces it, and the thing.
  thing text not null,
  place bigint not null,
  at timestamptz not null,
  primary key (durable, thing)
) with (fillfactor = 80);
