-- uuid of somebody under 18 in whose place, or about whom, a guardian is asked: the place moves with their guardian.
alter table recipients add column guards uuid;

create index recipients_guarded on recipients (guards, approval)
  where guards is not null and decision = 'waiting' and status = 'waiting';
