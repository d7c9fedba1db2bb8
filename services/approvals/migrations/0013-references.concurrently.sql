create unique index concurrently approvals_reference on approvals (reference) where reference is not null;
