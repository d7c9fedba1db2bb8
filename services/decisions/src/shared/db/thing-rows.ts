import type { OutboxRow } from '@hearth/outbox';
import type { Starter } from '../domain/starter.ts';
import type { RowOf } from './columns.ts';
import type { Seat } from './seats.ts';

/** The columns that the statements of `things.ts` speak of. */
export interface ThingRow {
  id: string;
  group: string;
  started_at: Date;
  status: string;
}

/** The columns that decisions and plans have both, and that stay as they were made. */
export const startedColumns = {
  id: 'uuid',
  title: 'text',
  details: 'text null',
  group: 'uuid',
  group_handle: 'text',
  group_name: 'text',
  group_ai: 'uuid',
  group_app: 'uuid null',
  starter_kind: 'text',
  starter: 'uuid',
  starter_person: 'uuid null',
  starter_app: 'uuid null',
  starter_address: 'text',
  starter_name: 'text',
  starter_minor: 'boolean',
  /** uuid of the member that it is hidden from. */
  hidden_from: 'uuid null',
  time_zone: 'text null',
  started_at: 'timestamptz',
} as const;

/** Those that an act changes. The record that is signed is stored by itself. */
export const courseColumns = {
  status: 'text',
  revision: 'integer',
  deadline_at: 'timestamptz',
  due_at: 'timestamptz null',
  settled_at: 'timestamptz null',
  record: 'uuid null',
} as const;

/** Rows of decisions and plans have these both. */
export interface CourseRow extends RowOf<typeof startedColumns & typeof courseColumns, Starter> {
  signed_record: string | null;
}

/** A thing with its people in their order, both as of the same moment. */
export interface Whole<Row, Person> {
  row: Row;
  people: readonly Person[];
  /** Another one once the row is written again; absent of one that was not read, but made. */
  version?: string | undefined;
}

/** A change of a thing, for one statement. */
export interface ThingChange<Row, Person> {
  row: Row;
  /** The version from which it was changed; null where its row is locked. */
  version: string | null;
  /** Those that changed. */
  people: readonly Person[];
  /** uuids of those of them whose words are new. */
  spoke: readonly string[];
  /** uuids of those of them whom it did not have. */
  came: readonly string[];
  /** uuids of people who left. */
  gone: readonly string[];
  seats: readonly Seat[];
  /** uuids of viewers that have no seat any more. */
  unseated: readonly string[];
  events: readonly OutboxRow[];
}

export interface NewThing<Row, Person> extends Whole<Row, Person> {
  seats: readonly Seat[];
  events: readonly OutboxRow[];
}

export interface SignedThing {
  /** uuid */
  id: string;
  json: string;
  events: readonly OutboxRow[];
}
