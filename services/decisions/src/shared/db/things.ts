import type { Unsigned } from '@hearth/receipts';
import type { Member } from '../domain/member.ts';
import type { ThingTableOptions } from './thing-columns.ts';
import { createThingReads } from './thing-reads.ts';
import type { ThingRow } from './thing-rows.ts';
import { createThingWrites } from './thing-writes.ts';

/** The statements for a table of things with people and seats: decisions, plans. */
export function createThingTable<Row extends ThingRow, Person extends Member>(
  options: ThingTableOptions<Row, Person>,
) {
  const { kind, table, reference, ended } = options;
  return {
    kind,
    reference,
    ...createThingReads(options),
    ...createThingWrites(options),

    hasEnded: ({ status }: Pick<Row, 'status'>) => ended.includes(status),

    /** Things whose record is not signed yet. */
    unsigned: {
      table,
      where: `status = '${ended[0]}' and signed_record is null`,
    } satisfies Unsigned,
  };
}

export type ThingTable<Row extends ThingRow, Person extends Member> = ReturnType<
  typeof createThingTable<Row, Person>
>;
