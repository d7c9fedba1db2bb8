-- The home's own texts as message keys and values, so that each reader gets them in their language. Null in rows of before, which
-- have their text in English alone.
alter table activity add column wording jsonb;
alter table audit add column wording jsonb;
-- {title, body} of a notice.
alter table mail_sends add column wording jsonb;
