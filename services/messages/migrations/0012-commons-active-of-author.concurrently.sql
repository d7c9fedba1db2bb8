create index concurrently commons_posts_active_of_author on commons_posts (author, state, active_at desc, id desc);
