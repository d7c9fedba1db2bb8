create index concurrently meetings_moves_by_message on meetings ((move->>'message')) where move->>'message' is not null;
