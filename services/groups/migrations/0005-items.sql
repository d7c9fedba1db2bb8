-- Whether an invite waits as an item of its recipient's requests, and how often it came to wait: it ceases to while its group
-- is archived, or its recipient shares a group with the inviter. Each time it is a new part of the item.
alter table invites add column placed boolean not null default false;
alter table invites add column part integer not null default 0;

-- For changes of the groups of an inviter.
create index invites_from_person on invites (created_by_person)
  where to_person is not null and status = 'waiting' and not reusable;

-- Invites from before there were items, until each has been looked at once.
create table unplaced_invites (invite uuid primary key references invites on delete cascade);

insert into unplaced_invites
select id from invites where to_person is not null and status = 'waiting' and not reusable;
