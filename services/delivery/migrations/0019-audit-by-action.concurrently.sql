create index concurrently audit_action on audit (action, at desc, event desc);
