-- What apps ask about joining has the kind of every request to join.
update approvals set kind = 'join_request' where kind = 'join';
