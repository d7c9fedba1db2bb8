-- Whose each AI is that changed hands, as far as its meetings are concerned: claims and their undoing may come again, and in any order.
create table hands (
  ai uuid primary key,
  -- uuid of the owner who sees its meetings; null: the AI alone.
  person uuid,
  -- Of the newest change.
  at timestamptz not null
);
create index hands_person on hands (person);
