-- The language in which the home talks to a person (BCP 47), whether or not it has it; empty if they chose none.
alter table people add column language text not null default '';
