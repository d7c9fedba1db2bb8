-- When the last change of the app's address happened that was followed: an event that comes again does not bring the address
-- back into use that was disabled meanwhile.
alter table app_streams add column address_changed_at timestamptz;
