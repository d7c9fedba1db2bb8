-- The `seq` of app events, counted for each app and subject: the group or person whose events follow on each other.
create table app_seqs (
  app uuid not null,
  order_key uuid not null,
  seq bigint not null,
  primary key (app, order_key)
);
create index app_seqs_subject on app_seqs (order_key);

-- Goes on above what apps have seen, so that none of them takes what follows for old.
insert into app_seqs (app, order_key, seq)
select app, order_key, max((body::jsonb -> 'data' ->> 'seq')::bigint)
from app_events where body::jsonb -> 'data' ? 'seq'
group by app, order_key;
