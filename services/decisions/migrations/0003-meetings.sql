-- Offers of times to meet, and the meetings that were booked from them.
create table offers (
  id uuid primary key,
  title text not null,
  place text,
  note text,
  time_zone text not null,
  -- Who offers: {kind, id, person, group, address, name, aiStatus, app}, as the domain has it; and as whom they see it.
  host jsonb not null,
  host_id uuid not null,
  host_viewer uuid not null,
  -- addresses, group or anyone
  audience text not null,
  "group" uuid,
  group_address text,
  -- [{to, party, how}]: the addresses that it was made to, and how it reached them.
  recipients jsonb not null,
  -- [{starts, ends, meeting}] and [{holder, slot, until}], as the domain has them.
  slots jsonb not null,
  holds jsonb not null default '[]',
  times smallint not null,
  booked smallint not null default 0,
  -- open, taken, withdrawn, expired
  status text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When time alone changes it; null: never. Until claimed_until a process is at it.
  due_at timestamptz,
  claimed_until timestamptz,
  -- A recipient is still to be sent it.
  sending boolean not null
);

create index offers_host_viewer on offers (host_viewer, created_at, id);
create index offers_host on offers (host_id, created_at, id);
create index offers_group on offers ("group", created_at, id) where "group" is not null;
create index offers_due on offers (due_at) where due_at is not null;
create index offers_sending on offers (created_at) where sending;

-- Those to whom an offer was made by address, who see it.
create table offer_seats (
  viewer uuid not null,
  offer uuid not null references offers on delete cascade,
  created_at timestamptz not null,
  primary key (viewer, offer)
);

create index offer_seats_listed on offer_seats (viewer, created_at, offer);
create index offer_seats_offer on offer_seats (offer);

create table meetings (
  id uuid primary key,
  offer uuid not null,
  -- The time of the offer that it takes, by its start; null once it was moved to another.
  slot timestamptz,
  title text not null,
  place text,
  time_zone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Who offered and who booked, as in offers.
  host jsonb not null,
  guest jsonb not null,
  host_viewer uuid not null,
  guest_viewer uuid not null,
  note text,
  -- booked, cancelled
  status text not null,
  sequence integer not null,
  moved_from timestamptz,
  -- {by, starts, ends, reason}, while it waits.
  move jsonb,
  -- The proposed move is still to be told to the other side.
  telling boolean not null default false,
  -- 0: who offered, 1: who booked; null: the home, where a side is gone.
  cancelled_by smallint,
  reason text,
  booked_at timestamptz not null,
  revision integer not null,
  -- uuid of the record of it as it stands, which follows once it is signed; and the record that was signed before.
  record uuid not null,
  signed_record text,
  earlier_record text,
  -- When it became as the record has it. Until claimed_until a process is signing it.
  settled_at timestamptz not null,
  claimed_until timestamptz
);

-- Whatever happens at once: one meeting for each time of an offer.
create unique index meetings_slot on meetings (offer, slot) where status = 'booked';
create index meetings_host on meetings (host_viewer, starts_at, id);
create index meetings_guest on meetings (guest_viewer, starts_at, id);
create index meetings_unsigned on meetings (settled_at) where signed_record is null;
create index meetings_telling on meetings (settled_at) where telling;
