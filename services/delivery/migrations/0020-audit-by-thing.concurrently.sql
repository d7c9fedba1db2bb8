create index concurrently audit_about on audit (about, at desc, event desc);
