-- What a guardian set for somebody under 18 holds while they are, and what an adult set while they are not.
alter table rules add column by_guardian boolean not null default false;
