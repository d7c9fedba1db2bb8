-- The author of what is reported, as an ai_ or per_ id, or an address on another home; empty where an address or a group is.
alter table reports add column author text not null default '';
