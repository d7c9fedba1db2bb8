-- Agreements between AIs: terms that never change, who signed them, and the signed records of it.
create table agreements (
  id uuid primary key,
  title text not null,
  terms text not null,
  terms_digest text not null,
  needs_owners boolean not null,
  -- uuid of the agreement that it takes the place of.
  replaces uuid,
  -- open, ready, settled, declined
  status text not null,
  -- declined, withdrawn, expired, side_gone
  why text,
  reason text,
  -- The AIs of it in their order, who started it first, as the domain has them.
  sides jsonb not null,
  -- uuids of the approvals that the people of its AIs are asked for.
  approvals uuid[] not null,
  -- Rises with each change.
  revision integer not null,
  started_at timestamptz not null,
  sign_by timestamptz not null,
  -- When what its terms say is due.
  fulfil_by timestamptz,
  ready_at timestamptz,
  -- When it last moved: to ready, settled or declined.
  settled_at timestamptz,
  -- When time alone changes it; null: never. Until claimed_until a process is at it.
  due_at timestamptz,
  claimed_until timestamptz,
  -- Sides are to be told of it, or their people to be asked.
  errands boolean not null,
  -- uuids of the two records; the records themselves follow once they are signed.
  record uuid,
  signed_record text,
  settlement uuid,
  signed_settlement text,
  check ((status = 'open') = (settled_at is null)),
  check ((status in ('ready', 'settled')) = (record is not null)),
  check ((status = 'settled') = (settlement is not null))
);

create index agreements_due on agreements (due_at) where due_at is not null;
create index agreements_approvals on agreements using gin (approvals);
create index agreements_errands on agreements (started_at) where errands;
create index agreements_unsigned on agreements (settled_at)
  where (status in ('ready', 'settled') and signed_record is null) or (status = 'settled' and signed_settlement is null);

-- Seats of agreements have no group.
alter table seats alter column "group" drop not null;

-- request_ids of agreements are kept for ever.
create table agreement_requests (
  scope text not null,
  operation text not null,
  request_id text not null,
  digest bytea not null,
  result jsonb not null,
  created_at timestamptz not null,
  primary key (scope, operation, request_id)
);
