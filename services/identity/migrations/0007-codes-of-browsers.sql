-- Six digits belong to the browser that asked for them, so that no one else can use them up or replace them.
alter table email_codes
  -- Names the browser; empty for a program, and for digits that a version before this one sent.
  add column browser text not null default '',
  -- Names a browser that signed in with the address before; empty for all others.
  add column device text not null default '',
  -- When digits were tried last, and were wrong.
  add column tried_at timestamptz;
