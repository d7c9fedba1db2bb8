-- r:<home>:<id> of the group of another home that narrows a subscription; group_id is derived from it.
alter table subscriptions add column group_reference text;
