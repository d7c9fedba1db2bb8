-- [{record, body}]: as the meeting stood before, where that is not signed yet; the oldest first.
alter table meetings add column unsigned_before jsonb;
