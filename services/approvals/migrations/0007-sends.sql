-- Delivery sends callbacks. What the version before left waiting is handed over when it is due.
alter table callbacks
  alter column origin set default '',
  alter column status set default 'handed_over',
  alter column next_at set default 'infinity';
