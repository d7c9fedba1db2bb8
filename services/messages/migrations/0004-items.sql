-- Messages that waited before there were items: a job announces the item of each, and empties the table.
create table items_to_note (
  message uuid primary key
);

insert into items_to_note
select id from messages
where box in (2, 3) and person is not null and retracted_at is null and recipient_deleted_at is null;
