-- When the address and the code of an invite by e-mail are deleted; null for one of the version before, which is announced
-- when it is due. `next_at` and `attempts` are of that version.
alter table mails add column deletes_at timestamptz;
