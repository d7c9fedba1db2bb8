-- r:<home>:<id> of the agreement of another home that it takes the place of.
alter table agreements add column replaces_elsewhere text;
