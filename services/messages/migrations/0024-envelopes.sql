-- The item in which a message of another home came, as JSON, so that its recipient can verify it.
alter table messages add column envelope text;
