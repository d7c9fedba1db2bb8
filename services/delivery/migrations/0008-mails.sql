-- E-mails of every kind, waiting and settled. Addresses of people are looked up, and what other services write is asked of
-- them, when a mail is sent.
alter table mails rename to mail_sends;
alter table mail_sends
  alter column person drop not null,
  alter column title drop not null,
  alter column body drop not null,
  alter column link drop not null,
  -- notice, app_disabled, ask_mail, ask_reminder, invite_mail, given.
  add column source text not null default 'notice',
  -- The app, the approval or the invite that it is about, and which recipient of that.
  add column ref uuid,
  add column part int not null default 0,
  -- Sealed: the address and text of a mail that another service gave; gone once it was sent, or over.
  add column content bytea,
  -- It is not sent after that; null: at any time.
  add column ends_at timestamptz,
  -- Attempts since it was written, or sent once more.
  add column tries smallint not null default 0,
  add column last_error text,
  -- It could not go any more when its time came.
  add column refused boolean not null default false;
alter table mail_sends
  -- hearth.delivery.v1.DeliveryState; 1: waiting, 2: delivered, 3: failed, 4: not sent.
  add column status smallint not null generated always as (
    case when due_at is not null then 1 when sent_at is not null then 2 when refused then 4 else 3 end) stored;
update mail_sends set tries = attempts where due_at is not null;
alter index mails_pkey rename to mail_sends_pkey;
alter index mails_due_at rename to mail_sends_due_at;
alter index mails_at rename to mail_sends_at;
drop index mails_failed;
create index mail_sends_newest on mail_sends
  (status, at, coalesce(person, '00000000-0000-0000-0000-000000000000'::uuid), id);
create index mail_sends_ending on mail_sends (ends_at) where content is not null;

-- Mails about disabled addresses waited with the addresses.
insert into mail_sends (id, source, ref, kind, at, attempts, tries, due_at)
select gen_random_uuid(), 'app_disabled', app, 'webhook_disabled', coalesce(disabled_at, mail_due_at), mail_tries, mail_tries,
  mail_due_at
from app_streams where mail_due_at is not null;
update app_streams set mail_due_at = null where mail_due_at is not null;

-- Kinds of destination: 1: an app, 2: a subscription, 3: a mail, each its own, 4: a callback.
insert into destinations (kind, id, due_at) select 3, id, due_at from mail_sends where due_at is not null;

-- For a version before this one, which knows notices alone.
create view mails as
select id, person, about, kind, title, body, link, at, attempts, due_at, sent_at from mail_sends where source = 'notice';

-- The mail server, as the last attempts found it: one row.
create table mail_server (
  id uuid primary key default '00000000-0000-0000-0000-000000000000',
  failing_since timestamptz,
  last_error text,
  last_delivery_at timestamptz
);
insert into mail_server default values;
