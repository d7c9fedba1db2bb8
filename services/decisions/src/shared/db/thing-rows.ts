import type { OutboxRow } from '@hearth/outbox';
import type { Starter } from '../domain/starter.ts';
import type { Seat } from './seats.ts';

/** The columns that the statements of `things.ts` speak of. */
export interface ThingRow {
  id: string;
  group: string;
  started_at: Date;
  status: string;
}

/** The columns that decisions and plans have both. */
export interface CourseRow extends ThingRow, Starter {
  title: string;
  details: string | null;
  group_handle: string;
  group_name: string;
  group_ai: string;
  group_app: string | null;
  /** uuid of the member that it is hidden from. */
  hidden_from: string | null;
  time_zone: string | null;
  revision: number;
  deadline_at: Date;
  due_at: Date | null;
  settled_at: Date | null;
  record: string | null;
  signed_record: string | null;
}

/** Those of them that stay as they were made. */
export const startedColumns = {
  id: 'uuid',
  title: 'text',
  details: 'text',
  group: 'uuid',
  group_handle: 'text',
  group_name: 'text',
  group_ai: 'uuid',
  group_app: 'uuid',
  starter_kind: 'text',
  starter: 'uuid',
  starter_person: 'uuid',
  starter_app: 'uuid',
  starter_address: 'text',
  starter_name: 'text',
  starter_minor: 'boolean',
  hidden_from: 'uuid',
  time_zone: 'text',
  started_at: 'timestamptz',
} as const;

/** Those of them that an act changes. */
export const courseColumns = {
  status: 'text',
  revision: 'integer',
  deadline_at: 'timestamptz',
  due_at: 'timestamptz',
  settled_at: 'timestamptz',
  record: 'uuid',
} as const;

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
