-- A proposal is an approval of kind rules with the same id: until when that waits, and the app that holds the person.
alter table rule_proposals add column expires_at timestamptz;
update rule_proposals set expires_at = at + interval '7 days';
alter table rule_proposals alter column expires_at set not null;
alter table rule_proposals add column app uuid;
