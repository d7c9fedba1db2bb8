-- Earlier events are not recorded: those of before the last pause ended, or before another owner. Null: since created_at.
alter table streams add column records_from timestamptz;
-- Earlier events that concern the AI only through its owner are not recorded; an AI that gets its first owner keeps its own. Null:
-- since records_from.
alter table streams add column owned_from timestamptz;
