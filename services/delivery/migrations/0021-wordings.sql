-- The summary as a message key with its values, so that each reader gets it in their language. Null in older rows, which have their
-- summary in English only.
alter table activity add column wording jsonb;
