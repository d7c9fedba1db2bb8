-- The app through which a key of an AI was made: the key ends when that app holds the person of the AI no more.
alter table keys add column through uuid;
update keys set through = made_by where made_by in (select id from apps);
