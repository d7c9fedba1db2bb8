export { createOutbox, type OutboxOptions, type RunningOutbox } from './create-outbox.ts';
export type { EventData, Outbox, OutboxRow } from './outbox.ts';
export { eventSubject, eventType } from './subjects.ts';
export { decodeWake, encodeWake, type Wake, wakeSubject } from './wake.ts';
