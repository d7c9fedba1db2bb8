-- How an invite reached whom it was sent to, by their own rules: delivered, requested, front_door or declined; null of
-- what was sent to nobody of this home.
alter table invites add column delivery text;
-- uuid of the AI at the front door, or of the guardian, with whom it waits in their place; and what that AI wrote when it
-- passed it on.
alter table invites add column holder uuid;
alter table invites add column passed_note text not null default '';

create index invites_holder on invites (holder, created_at desc, id desc)
  where holder is not null and status = 'waiting' and not reusable;

-- Why a wish that every word was given for came to nothing: full, cannot_join.
alter table joins add column why text;
