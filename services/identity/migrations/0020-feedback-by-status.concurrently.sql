create index concurrently feedback_status on feedback (status, at desc, id desc);
