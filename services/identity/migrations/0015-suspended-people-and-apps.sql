-- The operator suspends a person or an app for a time; a moment that has passed stands until its end is announced.
alter table people add column suspended_until timestamptz, add column suspend_reason text not null default '';
create index people_suspended on people (suspended_until) where suspended_until is not null;
alter table apps add column suspended_until timestamptz, add column suspend_reason text not null default '';
