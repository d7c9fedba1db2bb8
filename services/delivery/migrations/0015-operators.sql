-- The address of the operator's account, when it was done on the page; empty when it was done with the operator's key.
alter table audit add column operator text not null default '';
