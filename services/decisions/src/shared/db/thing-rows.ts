import type { OutboxRow } from '@hearth/outbox';
import type { Starter } from '../domain/starter.ts';
import type { RowOf } from './columns.ts';
import type { Seat } from './seats.ts';

/** The columns that the statements of `things.ts` use. */
export interface ThingRow {
  id: string;
  group: string;
  started_at: Date;
  status: string;
}

/** Columns that decisions and plans share and that never change. */
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

/** Columns that acts change; the signed record is stored separately. */
export const courseColumns = {
  status: 'text',
  revision: 'integer',
  deadline_at: 'timestamptz',
  due_at: 'timestamptz null',
  settled_at: 'timestamptz null',
  record: 'uuid null',
} as const;

/** The columns that decisions and plans share. */
export interface CourseRow extends RowOf<typeof startedColumns & typeof courseColumns, Starter> {
  signed_record: string | null;
}

/** A thing and its people in order, from one snapshot. */
export interface Whole<Row, Person> {
  row: Row;
  people: readonly Person[];
  /** Changes with each write of the row; absent if the thing wasn't read from the table. */
  version?: string | undefined;
}

/** A thing's change, for a batched statement. */
export interface ThingChange<Row, Person> {
  row: Row;
  /** The version the change is based on; null if the row is locked. */
  version: string | null;
  /** The people who changed. */
  people: readonly Person[];
  /** uuids of the people whose statements are new. */
  spoke: readonly string[];
  /** uuids of the people who joined. */
  came: readonly string[];
  /** uuids of people who left. */
  gone: readonly string[];
  seats: readonly Seat[];
  /** uuids of viewers who lose their seat. */
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
