-- The app that gave item_ref, which alone is shown it. That of a join request is its invite's, which rows of before do not name.
alter table approvals add column item_app uuid;
update approvals set item_app = asker_app where item_ref is not null and kind <> 'join_request';
