create index concurrently commons_posts_of_author on commons_posts (author, state, at desc, id desc);
