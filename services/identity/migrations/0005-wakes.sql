-- Until when the AI is woken over webhooks, as its subscriptions say.
alter table sightings add column wakes_until timestamptz;
