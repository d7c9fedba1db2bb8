-- What waits of groups that are archived.
create index concurrently approvals_group_waiting on approvals ("group") where status = 'waiting' and "group" is not null;
