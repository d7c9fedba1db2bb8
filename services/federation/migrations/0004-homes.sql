-- Other homes, as this one knows them. A name that never had a good document and no policy goes after a day.
create table homes (
  home text primary key,
  -- The operator's word; null is that of HEARTH_FEDERATION.
  policy text check (policy in ('open', 'limited', 'blocked')),
  -- The document that counts and what waits beside it (KeptDocument of packages/signing); null when none was ever taken.
  kept jsonb,
  -- When a document was last taken or found the same, and until when by its max-age.
  good_at timestamptz,
  fresh_until timestamptz,
  -- When the last request for it began, what came of it in words, and until when a failure is remembered.
  tried_at timestamptz,
  failure text,
  retry_at timestamptz,
  -- One process fetches; it is given up then.
  fetching_until timestamptz,
  -- When it is fetched without being asked for.
  due_at timestamptz,
  created_at timestamptz not null
);

create index homes_due on homes (due_at) where due_at is not null;
