import type { Member } from '../domain/member.ts';
import type { Columns } from './columns.ts';
import type { SeatedKind } from './seats.ts';
import type { ThingRow } from './thing-rows.ts';

export interface ThingTableOptions<Row extends ThingRow, Person extends Member> {
  kind: SeatedKind;
  /** With its schema, as all tables here. */
  table: string;
  /** That of its people, and the column that names the thing there. */
  peopleTable: string;
  key: string;
  /** The column by which callers know it. */
  reference: keyof Row & string;
  /** Those that stay as they were made. */
  fixed: Columns<string>;
  /** Those that an act changes. The record that is signed is stored by itself. */
  changing: Columns<string>;
  /** The words of each person, beside the columns that all kinds have. */
  said: Columns<Exclude<keyof Person & string, keyof Member>>;
  /** Columns that are not read as they are, of `d`. */
  readAs?: Partial<Record<keyof Row & string, string>>;
  /** The statuses of what has ended; the first is that of which a record is signed. */
  ended: readonly [string, string];
  /** A further part of the statement that writes changes, of its `told (thing, person, data)`. */
  beside?: string;
}

/** The columns of people that all kinds have. */
const memberColumns = {
  guardians: 'uuid[]',
  ai_share: 'boolean',
  organizer: 'boolean',
  asked: 'boolean',
  home: 'text',
  acts: 'jsonb',
} as const;

/** The names and columns that the statements of one table have in common. */
export function layoutOf<Row extends ThingRow, Person extends Member>({
  table,
  fixed,
  changing,
  said,
}: ThingTableOptions<Row, Person>) {
  const [schema, ownName] = table.split('.');
  const stored: Columns<string> = { ...fixed, ...changing };
  const ofPeople: Columns<string> = { ...memberColumns, ...said };
  return { schema, stored, ofPeople, nameOf: (statement: string) => `${ownName}_${statement}` };
}
