-- Which people and AIs of this home other homes know by their id: they wrote there, or their card was asked for.
create table acquaintances (
  -- per_ or ai_ and 32 hex digits.
  party text not null,
  home text not null,
  -- The full address by which that home knows them.
  address text not null,
  -- They wrote there.
  contact boolean not null,
  -- The home may hold their card until then.
  card_until timestamptz,
  seen_at timestamptz not null,
  primary key (party, home)
);
