-- The items of a log that are open are those of its epoch behind `settled_seq`: none of them is written again when it is sent and settled.
-- `settled_at` stands on the last item of those that were settled together, for all before it. `sent_at` and `why` are not written any more.
drop index sent_items_open;

-- Up to this number the log was handed out: pushed, or fetched by the other home.
alter table logs add column handed_seq bigint not null default 0;

update logs l set
  handed_seq = coalesce((
    select max(seq) from sent_items i where i.home = l.home and i.epoch = l.epoch and i.sent_at is not null), 0),
  settled_seq = coalesce((
    select min(seq) - 1 from sent_items i where i.home = l.home and i.epoch = l.epoch and i.settled_at is null), last_seq);
