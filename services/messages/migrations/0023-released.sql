-- The moment at which a message came to its recipient that the front door or a guardian saw first; null for others.
alter table messages add column released_at timestamptz;
