-- Agreements of other homes of which something is to be done for a side of this one, or an owner is asked.
create index home_copies_due on home_copies (((notes->>'due')::bigint)) where kind = 'agreement' and notes ? 'due';
create index home_copies_approvals on home_copies using gin ((notes->'approvals')) where kind = 'agreement';
