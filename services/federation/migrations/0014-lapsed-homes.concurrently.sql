create index concurrently homes_valid_until on homes ((kept->'document'->>'valid_until' collate "C"));
