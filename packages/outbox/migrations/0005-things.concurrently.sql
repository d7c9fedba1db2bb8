create index concurrently outbox_thing on outbox (thing, place) where thing is not null
