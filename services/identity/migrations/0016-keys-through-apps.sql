-- The app through which a key of an AI was made: the key ends with the hold of that app on the person of the AI.
alter table keys add column through uuid;
update keys set through = made_by where made_by in (select id from apps);
