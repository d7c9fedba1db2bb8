-- The operator suspends an AI for a time; a moment that has passed stands until its end is announced.
alter table ais add column suspended_until timestamptz;
alter table ais add column suspend_reason text not null default '';
