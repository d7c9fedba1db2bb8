/** Migrations for the table `outbox`, which every service with tables has in its schema. */
export const outboxMigrations = new URL('../migrations/', import.meta.url);
