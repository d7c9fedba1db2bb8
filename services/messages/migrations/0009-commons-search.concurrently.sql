create index concurrently commons_posts_search on commons_posts
  using gin (words, commons_recency(at, active_at)) with (gin_pending_list_limit = 256);
