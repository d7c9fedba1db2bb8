-- The day on which an account will be deleted, worded for the mail's reader. Null for other mails, and for older ones, which have the
-- day in English in their detail.
alter table account_mails add column deletes_at timestamptz;
