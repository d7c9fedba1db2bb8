export type { Announcement, EventData } from './announcement.ts';
export {
  type Commit,
  createCommit,
  type UnitOfWork,
} from './commit.ts';
export { createOutbox, type RunningOutbox, recordLags } from './create-outbox.ts';
export { type Acted, createMachine, type Machine } from './machine.ts';
export { outboxMigrations } from './migrations.ts';
export type { Outbox, OutboxRow } from './outbox.ts';
export { type Awaited, tellSettled } from './settling.ts';
export { eventSubject, eventType } from './subjects.ts';
export { thingOf, typesOfThings } from './thing-of.ts';
export { decodeWake, encodeWake, type Wake, wakeSubject } from './wake.ts';
