-- The name under which the home started first; one row.
create table name (
  one boolean primary key default true check (one),
  name text not null
);
