-- What was asked of named people and AIs. One row carries the ask, what became of it, and its signed answer.
create table approvals (
  id uuid primary key,
  -- ask, photo, join, join_request, agreement, plan, rules, guardian, invite
  kind text not null,
  -- personal, introduction, recruiting, sales, offer, other
  request_kind text not null,
  title text not null,
  details text,
  choices text[] not null default '{}',
  free_text boolean not null default false,
  -- any, all
  needs text not null,
  -- Who asked: ai, person, app or home, by uuid (null for the home), with the person behind it and the app used.
  asker_kind text not null,
  asker uuid,
  asker_person uuid,
  asker_app uuid,
  -- By whom it is listed as asked: the person behind, else who asked.
  asker_key uuid generated always as (coalesce(asker_person, asker)) stored,
  -- Address and name as they were then. Of somebody under 18 the name is shortened, and the address shown to nobody
  -- who may not see them as they are.
  asker_address text not null,
  asker_name text not null,
  asker_verified boolean not null,
  asker_minor boolean not null default false,
  -- uuid of the person under 18 that it concerns.
  about uuid,
  "group" uuid,
  group_handle text,
  group_name text,
  group_app uuid,
  item_ref text,
  preview text,
  -- sha-256:<base64url> over what is asked.
  digest text not null,
  callback text,
  -- Of a join_request: the groups service's invite and who wants to join.
  invite uuid,
  joiner uuid,
  -- Idempotency, for ever: whose request_id it is, and the SHA-256 of what was asked for with it.
  request_scope text,
  request_id text,
  request_digest bytea,
  -- waiting, approved, declined, cancelled, expired
  status text not null,
  -- Why it was declined without an answer: by_rule, blocked, recipient_gone.
  why text,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  -- uuid of who gave the last word.
  settled_by uuid,
  reminders smallint not null default 0,
  reminded_at timestamptz,
  -- uuid of the record, made when it settles; the record itself follows once it is signed.
  record uuid,
  signed_answer text,
  signed_at timestamptz,
  -- Until then no other process tries to have it signed.
  claimed_until timestamptz,
  check ((status = 'waiting') = (settled_at is null)),
  check ((status = 'waiting') = (record is null))
);

create unique index approvals_request on approvals (request_scope, request_id) where request_id is not null;
create index approvals_asked on approvals (asker_key, asked_at desc, id desc);
create index approvals_asked_status on approvals (asker_key, status, asked_at desc, id desc);
create index approvals_app on approvals (asker_app, asked_at desc, id desc) where asker_app is not null;
create index approvals_app_status on approvals (asker_app, status, asked_at desc, id desc) where asker_app is not null;
create index approvals_expiry on approvals (expires_at) where status = 'waiting';
create index approvals_unsigned on approvals (settled_at) where status <> 'waiting' and signed_answer is null;

-- Those who are asked, each with the one answer that they give.
create table recipients (
  approval uuid not null references approvals on delete cascade,
  -- As they were named, from 0.
  position smallint not null,
  -- person, ai, email
  kind text not null,
  -- uuid of the person or AI; null for an e-mail address.
  recipient uuid,
  -- The person whom it reaches: themselves, or the AI's owner.
  person uuid,
  -- Address or e-mail address as it was, and name; of somebody under 18 as with who asks.
  address text not null,
  name text not null,
  minor boolean not null default false,
  -- delivered, waiting_quietly, front_door, declined, turned_away
  handling text not null,
  -- In whose list it stands: the recipient, or the AI at their front door until it is passed on. Null for nobody's.
  owner uuid,
  -- inbox, requests, front_door; empty for nobody's.
  box text not null,
  -- The AI at the front door, when it went there, and what it wrote when it passed it on.
  front_door uuid,
  passed_at timestamptz,
  passed_note text,
  -- Of the ask, for lists and the requests box.
  asked_at timestamptz not null,
  request_kind text not null,
  -- Of the ask too, brought up to date when it settles.
  status text not null,
  -- waiting, approved, declined
  decision text not null,
  answer text,
  note text,
  answered_at timestamptz,
  -- uuid of who gave the answer, null by mail; person or ai; how: web, mcp, api, app, home; tap, passkey, email, key
  answered_by uuid,
  answered_as text,
  via text,
  proof text,
  -- Why it counts as declined without an answer: by_rule, blocked, recipient_gone.
  why text,
  -- E-mail: SHA-256 of the link's key; when the mail went out, and when it is tried (again).
  key_hash bytea,
  mailed_at timestamptz,
  mail_next_at timestamptz,
  mail_attempts smallint not null default 0,
  primary key (approval, position)
);

create unique index recipients_once on recipients (approval, recipient) where recipient is not null;
create unique index recipients_mail_once on recipients (approval, address) where kind = 'email';
create index recipients_open on recipients (owner, asked_at desc, approval desc)
  where decision = 'waiting' and status = 'waiting';
create index recipients_owner_status on recipients (owner, status, asked_at desc, approval desc);
-- For the requests box.
create index recipients_requests on recipients (owner, request_kind, asked_at desc, approval desc)
  where box in ('requests', 'front_door') and decision = 'waiting' and status = 'waiting';
-- For blocks, deleted accounts and revoked AIs.
create index recipients_person_open on recipients (person) where decision = 'waiting' and status = 'waiting';
create index recipients_recipient_open on recipients (recipient) where decision = 'waiting' and status = 'waiting';
create index recipients_mail on recipients (mail_next_at) where mail_next_at is not null;

-- The POST with the settled approval that an asker wants, until it arrived or was given up.
create table callbacks (
  approval uuid primary key references approvals on delete cascade,
  url text not null,
  -- Of the address: so many are sent to one at a time.
  origin text not null,
  -- The same at each attempt.
  body text not null,
  -- waiting, delivered, given_up
  status text not null,
  attempts smallint not null default 0,
  -- When it is tried next, and until when a process has it in hand.
  next_at timestamptz not null,
  last_at timestamptz,
  last_status smallint,
  -- refused_address, timeout, connection, tls, too_large, status; nothing of what the other side sent.
  last_error text,
  created_at timestamptz not null
);

create index callbacks_due on callbacks (next_at) where status = 'waiting';
create index callbacks_ended on callbacks (created_at) where status <> 'waiting';

-- What a person lets reach them; without a row the default holds.
create table rules (
  person uuid primary key,
  -- just_me, family, job_seeker, founder, freelancer, public_figure; null when none was chosen
  preset text,
  -- kind -> {action, checked_only, weekly_cap}
  rows jsonb not null,
  -- uuid of the AI that sees requests first.
  front_door uuid,
  changed_at timestamptz not null
);

-- Rules that an AI proposes to its person.
create table rule_proposals (
  id uuid primary key,
  person uuid not null,
  -- The AI that proposes, and its address as it was.
  ai uuid not null,
  ai_address text not null,
  preset text,
  -- The rows that would change, as they would be.
  changes jsonb not null,
  -- waiting, approved, declined, cancelled, expired
  status text not null,
  at timestamptz not null,
  settled_at timestamptz
);

create unique index rule_proposals_waiting on rule_proposals (person) where status = 'waiting';
create index rule_proposals_person on rule_proposals (person, at desc);

-- How many requests of a kind reached or did not reach a person in an ISO week.
create table rule_counts (
  person uuid not null,
  -- The Monday of the week, in UTC.
  week date not null,
  kind text not null,
  -- reached, declined, turned_away
  what text not null,
  count integer not null,
  primary key (person, week, kind, what)
);

create index rule_counts_week on rule_counts (week);

-- What a person said about one who reaches them.
create table senders (
  person uuid not null,
  -- uuid of the person or AI.
  sender uuid not null,
  -- The kind as which the sender counts; null when nothing was said.
  kind text,
  -- Goes to the inbox from now on.
  inbox boolean not null default false,
  changed_at timestamptz not null,
  primary key (person, sender)
);

create table blocks (
  -- uuid of the person, or of an AI that nobody owns.
  person uuid not null,
  -- An address, or @home for a whole home.
  target text not null,
  -- uuid of who stands behind the address, when of this home, and of their person.
  target_id uuid,
  target_person uuid,
  reason text,
  at timestamptz not null,
  primary key (person, target)
);

create index blocks_target on blocks (person, target_id) where target_id is not null;
create index blocks_newest on blocks (person, at desc, target desc);

-- What was reported to the operator.
create table reports (
  id uuid primary key,
  -- As it was given: a msg_, pst_, apr_ or grp_ id, or an address.
  about text not null,
  -- spam, scam, harassment, child_safety, impersonation, injection, other
  reason text not null,
  text text not null default '',
  by_kind text not null,
  by_id uuid not null,
  by_address text not null,
  at timestamptz not null,
  resolved_at timestamptz,
  resolution text,
  -- Child safety stands first.
  rank smallint not null generated always as (case reason when 'child_safety' then 0 else 1 end) stored
);

create index reports_open on reports (rank, at desc, id desc) where resolved_at is null;
create index reports_all on reports (rank, at desc, id desc);

create table outbox (
  id uuid primary key,
  type text not null,
  event bytea not null,
  created_at timestamptz not null default now(),
  claimed_until timestamptz not null default now() + interval '10 seconds',
  published_in text
);

create index outbox_unpublished on outbox (id) where published_in is null;
