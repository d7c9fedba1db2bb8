-- E-mail addresses to which the home does not write any more, until they are used to sign in or their owners say otherwise.
create table mail_stops (
  -- A keyed hash: the table tells no one whose mails are stopped.
  address bytea primary key,
  at timestamptz not null
);
