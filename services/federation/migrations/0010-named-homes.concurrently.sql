create index concurrently homes_named on homes (home) where policy in ('limited', 'blocked');
