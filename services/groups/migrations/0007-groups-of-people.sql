-- A person makes a group without an app.
alter table groups alter column app drop not null;
