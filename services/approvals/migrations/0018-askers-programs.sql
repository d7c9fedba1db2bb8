-- The programs through which an approval was asked: they don't answer it for the asker's person.
alter table approvals add column asker_programs text[] not null default '{}';
update approvals set asker_programs = array['app:' || asker_app] where asker_app is not null and status = 'waiting';
