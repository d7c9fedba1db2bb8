-- Asks between homes: a copy of what was asked at another home stands beside this home's own asks.
alter table approvals
  -- The home at which it was asked, r:<home>:<id>, and its registrable domain; null for an ask of this home.
  add column home text,
  add column reference text,
  add column home_domain text,
  -- Of the last state that was sent to other homes, or that came from there.
  add column rev bigint not null default 1;

alter table recipients
  -- The home of a recipient elsewhere.
  add column home text,
  -- uuid of the act (home_acts) by which the answer is on its way.
  add column act uuid,
  -- The act by which the answer came from another home, whole, as JSON.
  add column item text,
  -- A no by rule goes to the home of the ask then.
  add column no_due_at timestamptz;

-- Acts of people and AIs of this home on things of others (packages/home-acts).
create table home_acts (
  id uuid primary key,
  home text not null,
  -- r:<home>:<id>
  object text not null,
  operation text not null,
  -- uuid of the person or AI.
  actor uuid not null,
  -- SHA-256 over operation and request.
  digest bytea not null,
  kept jsonb not null,
  created_at timestamptz not null,
  -- The result: its HTTP status, and answer or error as JSON.
  status integer,
  error text,
  answer text,
  settled_at timestamptz
);
create index home_acts_settled on home_acts (settled_at) where settled_at is not null;
