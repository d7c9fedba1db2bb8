-- Sign-ins of people on the home's own pages, and of guests: a bearer key or a cookie each.
create table sessions (
  id uuid primary key,
  person uuid not null references people,
  -- SHA-256 of the token, which is shown once and stored nowhere.
  hash bytea not null unique,
  -- When the person last proved who they are; null for a guest.
  authenticated_at timestamptz,
  -- passkey, email; empty for a guest.
  proof text not null default '',
  created_at timestamptz not null,
  ends_at timestamptz not null,
  last_used_on date
);

create index sessions_person on sessions (person);
create index sessions_ends_at on sessions (ends_at);

-- Six digits that were sent by e-mail.
create table email_codes (
  id uuid primary key,
  email text not null,
  -- sign_in, or claim_guest with the person whom the address shall become.
  purpose text not null,
  person uuid references people,
  -- HMAC of the code: SHA-256 of six digits would be no secret.
  code_hash bytea not null,
  tries smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index email_codes_email on email_codes (email, created_at);
create index email_codes_expires_at on email_codes (expires_at);

create table passkeys (
  -- The credential id.
  id bytea primary key,
  person uuid not null references people,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null default '',
  created_at timestamptz not null,
  last_used_on date
);

create index passkeys_person on passkeys (person);

-- Challenges that wait for a passkey's answer.
create table passkey_challenges (
  -- 32 random bytes as base64url; the browser gives it back.
  challenge text primary key,
  -- register (with the person), sign_in
  purpose text not null,
  person uuid references people,
  expires_at timestamptz not null
);

create index passkey_challenges_expires_at on passkey_challenges (expires_at);

-- What a person consented to: the client acts as that AI, with these scopes.
create table oauth_grants (
  -- As the authorization server names it.
  id text primary key,
  person uuid not null references people,
  ai uuid not null references ais,
  client_id text not null,
  client_name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  last_used_on date
);

create index oauth_grants_person on oauth_grants (person) where ended_at is null;
create index oauth_grants_ai on oauth_grants (ai) where ended_at is null;

-- What the authorization server keeps: clients, codes, tokens, sessions. Ids of what is a secret are hashed.
create table oauth_objects (
  model text not null,
  -- SHA-256 of the id, which is the token where the object is one, and is not in the payload either.
  id_hash bytea not null,
  grant_id text,
  payload jsonb not null,
  consumed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (model, id_hash)
);

create index oauth_objects_grant on oauth_objects (grant_id) where grant_id is not null;
create index oauth_objects_clients on oauth_objects (created_at) where model = 'Client';
create index oauth_objects_expires_at on oauth_objects (expires_at) where expires_at is not null;
