-- The browser and network of a session's last use, for its person: "Firefox on Linux", "203.0.113.0/24".
alter table sessions
  add column device text not null default '',
  add column network text not null default '';

-- Names a passkey for its person.
alter table passkeys add column key uuid not null default gen_random_uuid();
create unique index passkeys_key on passkeys (key);

-- Mails to a person about their account, with the address that was theirs at the time. Sent by delivery, which asks for them.
create table account_mails (
  id uuid primary key,
  person uuid not null references people,
  email text not null,
  -- email_changed, passkey_added, passkey_removed, app_holds, app_let_go.
  what text not null,
  -- The name of the app.
  detail text not null default '',
  expires_at timestamptz not null
);

create index account_mails_person on account_mails (person);
create index account_mails_expires_at on account_mails (expires_at);

-- Until now use in a browser was not noted: the time without use is counted from now on.
update sessions set last_used_on = current_date where ends_at > now();
