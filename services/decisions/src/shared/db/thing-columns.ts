import type { Member } from '../domain/member.ts';
import type { Columns } from './columns.ts';
import type { SeatedKind } from './seats.ts';
import type { ThingRow } from './thing-rows.ts';

export interface ThingTableOptions<Row extends ThingRow, Person extends Member> {
  kind: SeatedKind;
  /** With its schema. */
  table: string;
  /** The table of its people, and the column there that refers to the thing. */
  peopleTable: string;
  key: string;
  /** The column that callers refer to it by. */
  reference: keyof Row & string;
  /** Columns that never change. */
  fixed: Columns<string>;
  /** Columns that acts change; the signed record is stored separately. */
  changing: Columns<string>;
  /** Columns for each person's statements, beside the shared ones. */
  said: Columns<Exclude<keyof Person & string, keyof Member>>;
  /** SQL expressions on `d` that replace plain columns on read. */
  readAs?: Partial<Record<keyof Row & string, string>>;
  /** The final statuses; things in the first one get a signed record. */
  ended: readonly [string, string];
  /** A further CTE for the statement that writes changes; may read `told (thing, person, data)`. */
  beside?: string;
}

/** The columns of people that all kinds share. */
const memberColumns = {
  guardians: 'uuid[]',
  ai_share: 'boolean',
  organizer: 'boolean',
  asked: 'boolean',
  home: 'text',
  acts: 'jsonb',
} as const;

/** The names and columns that the statements of one table share. */
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
