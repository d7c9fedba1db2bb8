-- The title and the body of a notice as message keys with their values, so that its mail is in the language of its reader. Null in
-- older rows, and where neither is the home's own wording.
alter table mail_sends add column wording jsonb;
