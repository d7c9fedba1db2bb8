-- What people were told last of one thing, so that nobody hears of it again within twelve hours.
create table notices (
  person uuid not null,
  -- The person under 18 that it is about; all zeros for nobody.
  about uuid not null,
  item uuid not null,
  kind text not null,
  -- Of the event by which they were told.
  at timestamptz not null,
  primary key (person, about, item, kind)
);
create index notices_at on notices (at);

-- E-mails to people whom no app holds. Their addresses are looked up when they are sent.
create table mails (
  id uuid primary key,
  person uuid not null,
  about uuid,
  kind text not null,
  title text not null,
  body text not null,
  -- A path of the site.
  link text not null,
  at timestamptz not null,
  attempts smallint not null default 0,
  -- Null once it was sent or is not tried again.
  due_at timestamptz,
  sent_at timestamptz
);
create index mails_due_at on mails (due_at) where due_at is not null;
create index mails_at on mails (at);

-- How many were written to somebody on a day (UTC).
create table mail_days (
  person uuid not null,
  day date not null,
  mails int not null,
  primary key (person, day)
);
create index mail_days_day on mail_days (day);

-- Links of notices that were opened: each opens its page once.
create table opened_links (
  hash bytea primary key,
  -- The link ends by itself then.
  ends_at timestamptz not null
);
create index opened_links_ends_at on opened_links (ends_at);
