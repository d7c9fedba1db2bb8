-- The ages that an invite is for, where they are several; for_age is the first.
alter table invites add column for_ages text[];
