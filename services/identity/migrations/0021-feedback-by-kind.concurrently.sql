create index concurrently feedback_kind on feedback (kind, at desc, id desc);
