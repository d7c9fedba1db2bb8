-- When another home came under the name, and all that was known of the one before became void.
alter table homes add column began_anew_at timestamptz;
