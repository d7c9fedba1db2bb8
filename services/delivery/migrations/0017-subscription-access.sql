-- The access through which a subscription was made or renewed last: "app:<uuid>" or "grant:<id>"; null: a key of the AI's own. It ends with that.
alter table subscriptions add column through text;
