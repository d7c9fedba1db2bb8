create index concurrently ais_group_app on ais (group_app, id) where group_app is not null;
