-- The requests box has items of its own: no one looks here for what waits for a person.
drop index messages_requests;
