-- How many times the bus refused it. By its age, a clock that is set forward would set it aside.
alter table outbox add column refusals integer not null default 0;
