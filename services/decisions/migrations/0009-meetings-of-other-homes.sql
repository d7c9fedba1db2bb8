-- Offers and meetings of other homes that people and AIs of this one have a part in stand beside its own: {home, reference}, and of a
-- meeting {home, reference, uid, offer} as that home calls them. Null: of this home.
alter table offers add column elsewhere jsonb;
alter table meetings add column elsewhere jsonb;
create unique index offers_elsewhere on offers ((elsewhere->>'reference')) where elsewhere is not null;
create unique index meetings_elsewhere on meetings ((elsewhere->>'reference')) where elsewhere is not null;

-- The signed acts by which a side of another home booked, moved and called off.
alter table meetings add column acts jsonb not null default '{}';
