-- The words of who cancelled it.
alter table plans add column reason text;
