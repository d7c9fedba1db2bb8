-- When the last state was sent; null for states from before this column.
alter table home_states add column sent_at timestamptz;
