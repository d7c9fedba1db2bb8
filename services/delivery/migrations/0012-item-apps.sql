-- The app that gave item_ref, which alone is shown it; null on rows of before.
alter table activity add column item_app uuid;
