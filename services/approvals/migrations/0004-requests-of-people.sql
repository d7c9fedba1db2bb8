-- For the requests box: what waits for AIs of a person, or at their guardian.
create index recipients_person_requests on recipients (person, request_kind, asked_at desc, approval desc)
  where box = 'requests' and decision = 'waiting' and status = 'waiting';
