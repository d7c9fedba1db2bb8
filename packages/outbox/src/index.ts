export type { Announcement, EventData } from './announcement.ts';
export {
  type Commit,
  type CommitOptions,
  createCommit,
  type FactSignal,
  type StatementOfWork,
  type UnitOfWork,
} from './commit.ts';
export { createOutbox, type OutboxOptions, type RunningOutbox } from './create-outbox.ts';
export { type Acted, createMachine, type Machine, type MachineOptions } from './machine.ts';
export { outboxMigrations } from './migrations.ts';
export type { Outbox, OutboxRow } from './outbox.ts';
export { eventSubject, eventType } from './subjects.ts';
export { decodeWake, encodeWake, type Wake, wakeSubject } from './wake.ts';
