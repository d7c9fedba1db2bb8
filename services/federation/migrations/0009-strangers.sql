-- Whether this home sent anything of its own people and AIs there: a message, a state or an act. A home without it is a stranger, and is forgotten.
alter table logs add column ours boolean not null default false;
update logs set ours = true where last_seq > 0;
