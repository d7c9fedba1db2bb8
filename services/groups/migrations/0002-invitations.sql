-- What waits for somebody in their requests.
create index invites_to_person on invites (to_person, created_at desc, id desc)
  where to_person is not null and status = 'waiting' and not reusable;
